// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/shim/offered.h"

#include <climits>
#include <unordered_map>
#include <vector>

namespace culprit::fakedriver::shim {
namespace {

// Rows of each name, in the table's order: oldest first, a variant's per-thread alias after it.
using RowsByName = std::unordered_map<std::string_view, std::vector<const ApiInfo*>>;

const RowsByName& Rows() {
  static const RowsByName* rows = [] {
    auto* made = new RowsByName;
    for (const ApiInfo& row : kApis) {
      if (row.since != 0) (*made)[row.lookup].push_back(&row);
    }
    return made;
  }();
  return *rows;
}

const ApiInfo* Newest(const std::vector<const ApiInfo*>& rows, int version, bool per_thread) {
  const ApiInfo* newest = nullptr;
  for (const ApiInfo* row : rows) {
    if (row->since > version || (row->variant != Variant::kLegacy) != per_thread) continue;
    if (newest == nullptr || row->since >= newest->since) newest = row;
  }
  return newest;
}

}  // namespace

Offer Offered(std::string_view name, int version, bool per_thread) {
  auto found = Rows().find(name);
  if (found == Rows().end()) return {};
  // As recorded: a name that has variants for the per-thread default stream is answered with one of
  // them or, before the first, with none.
  const bool has_variants = Newest(found->second, INT_MAX, true) != nullptr;
  return {.known = true, .row = Newest(found->second, version, per_thread && has_variants)};
}

}  // namespace culprit::fakedriver::shim
