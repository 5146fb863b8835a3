// SPDX-License-Identifier: Apache-2.0
#include "stress/run/bisect.h"

#include <algorithm>
#include <numeric>

namespace culprit::stress {
namespace {

using Pairs = std::vector<size_t>;

Pairs Without(const Pairs& all, std::span<const size_t> removed) {
  Pairs rest;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&](size_t pair) {
    return std::find(removed.begin(), removed.end(), pair) == removed.end();
  });
  return rest;
}

std::vector<Pairs> Split(const Pairs& pairs, size_t parts) {
  std::vector<Pairs> split;
  for (size_t part = 0; part < parts; ++part) {
    split.emplace_back(pairs.begin() + part * pairs.size() / parts,
                       pairs.begin() + (part + 1) * pairs.size() / parts);
  }
  return split;
}

// Shrinks `pairs`, which leak, until every member is needed.
Pairs Minimize(Pairs pairs, const LeaksWith& leaks_with) {
  size_t parts = 2;
  while (pairs.size() >= 2) {
    const std::vector<Pairs> split = Split(pairs, parts);
    auto leaking = std::find_if(split.begin(), split.end(), leaks_with);
    if (leaking != split.end()) {
      pairs = *leaking;
      parts = 2;
      continue;
    }
    // With two parts, the rest of one is the other, which was just tried.
    auto dispensable =
        parts == 2 ? split.end() : std::find_if(split.begin(), split.end(), [&](const Pairs& part) {
          return leaks_with(Without(pairs, part));
        });
    if (dispensable != split.end()) {
      pairs = Without(pairs, *dispensable);
      parts = std::max<size_t>(2, parts - 1);
    } else if (parts < pairs.size()) {
      parts = std::min(pairs.size(), 2 * parts);
    } else {
      break;
    }
  }
  return pairs;
}

// A lone pair may only have brought the guilty one along.
size_t Descend(size_t pair, const Needs& needs, const LeaksWith& leaks_with) {
  for (size_t need : needs[pair]) {
    if (leaks_with(Pairs{need})) return Descend(need, needs, leaks_with);
  }
  return pair;
}

}  // namespace

std::vector<std::vector<size_t>> FindGuilty(const Needs& needs, const LeaksWith& leaks_with) {
  Pairs suspects(needs.size());
  std::iota(suspects.begin(), suspects.end(), size_t{0});
  std::vector<Pairs> groups;
  while (!suspects.empty() && leaks_with(suspects)) {
    Pairs group = Minimize(suspects, leaks_with);
    if (group.size() == 1) group[0] = Descend(group[0], needs, leaks_with);
    groups.push_back(group);
    // Whoever needs a guilty pair would bring it back in.
    Pairs closed = group;
    for (size_t pair = 0; pair < needs.size(); ++pair) {
      const bool tainted = std::any_of(needs[pair].begin(), needs[pair].end(), [&](size_t need) {
        return std::find(closed.begin(), closed.end(), need) != closed.end();
      });
      if (tainted) closed.push_back(pair);
    }
    suspects = Without(suspects, closed);
  }
  return groups;
}

}  // namespace culprit::stress
