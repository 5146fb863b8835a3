// SPDX-License-Identifier: Apache-2.0
#include "input/nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace culprit {
namespace {

// Letters to put in, take out, replace or swap with their neighbour.
size_t LettersAway(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> away(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) away[i][0] = i;
  std::iota(away[0].begin(), away[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = away[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      away[i][j] = std::min({away[i - 1][j] + 1, away[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        away[i][j] = std::min(away[i][j], away[i - 2][j - 2] + 1);
      }
    }
  }
  return away.back().back();
}

}  // namespace

std::vector<std::string> NearestNames(std::string_view given,
                                      const std::vector<std::string>& names) {
  std::vector<std::string> near;
  if (given.empty()) return near;
  std::copy_if(names.begin(), names.end(), std::back_inserter(near),
               [&](const std::string& name) { return name.starts_with(given); });
  if (!near.empty()) return near;
  // A third of the letters may be wrong: beyond that, anything is near to a short name.
  size_t least = std::max<size_t>(1, given.size() / 3);
  for (const std::string& name : names) {
    const size_t away = LettersAway(given, name);
    if (away > least) continue;
    if (away < least) near.clear();
    least = away;
    near.push_back(name);
  }
  return near;
}

}  // namespace culprit
