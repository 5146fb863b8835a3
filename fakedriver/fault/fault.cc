// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/fault.h"

namespace culprit::fakedriver::fault {

Entries AllEntries() { return Entries().set(); }

Entries EntriesNamed(std::string_view name) {
  Entries variants;
  Entries exact;
  for (const ApiInfo& row : kApis) {
    const auto index = static_cast<size_t>(row.id);
    if (name == row.lookup) variants.set(index);
    if (name == row.symbol) exact.set(index);
  }
  return variants.any() ? variants : exact;
}

Entries EntriesOfFamily(std::string_view family) {
  Entries entries;
  auto wanted = FamilyNamed(family);
  if (!wanted) return entries;
  for (const ApiInfo& row : kApis) entries.set(static_cast<size_t>(row.id), row.family == *wanted);
  return entries;
}

std::string Objection(const Fault& fault) {
  const Consequence& what = fault.consequence;
  if (what.memory_budget) return {};
  if (fault.site.entries.none()) return "the fault matches no entry of the driver";
  if (fault.times == 0) return "a fault that fires zero times is no fault";
  if (what.result == CUDA_SUCCESS) return "CUDA_SUCCESS is not a failure";
  if (what.result == CUDA_ERROR_NOT_READY && fault.times == kSticky) {
    return "CUDA_ERROR_NOT_READY cannot be sticky: work that never gets ready is a hang, not an "
           "error";
  }
  if (what.result == CUDA_ERROR_DEINITIALIZED &&
      (fault.times != kSticky || !fault.site.entries.all() || fault.site.thread != 0)) {
    return "CUDA_ERROR_DEINITIALIZED is a state of the process: it must be sticky, for any entry "
           "and any thread";
  }
  if (what.timing == Timing::kLater && what.surface.site.entries.none()) {
    return "an error at a later call must say at which entry it surfaces";
  }
  if (what.lose_contexts && !what.result) return "losing the contexts needs the error they report";
  if (!what.result && !what.block && !what.kill && what.delay.count() == 0) {
    return "the fault does nothing: give an error, a delay, block or kill";
  }
  return {};
}

}  // namespace culprit::fakedriver::fault
