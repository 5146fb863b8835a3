// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/shim/offered.h"

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
  const ApiInfo* row = per_thread ? Newest(found->second, version, true) : nullptr;
  if (row == nullptr) row = Newest(found->second, version, false);
  return {.known = true, .row = row};
}

}  // namespace culprit::fakedriver::shim
