// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/best_effort_rollback.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace culprit::suites {
namespace {

bool MakesContextCurrent(std::string_view entry) {
  return entry == "cuCtxPushCurrent" || entry == "cuCtxSetCurrent";
}

// Entries that end an object, by lookup name, for each kind as the driver, or the interposer of
// another one, describes it: "stream #1, created by ...".
struct Release {
  std::string_view kind;
  std::vector<std::string_view> entries;
};

bool Ends(std::string_view entry, std::string_view object) {
  static const Release releases[] = {
      {"context", {"cuCtxDestroy", "cuCtxDetach"}},
      {"primary retain", {"cuDevicePrimaryCtxRelease"}},
      {"stream", {"cuStreamDestroy"}},
      {"event", {"cuEventDestroy"}},
      {"module", {"cuModuleUnload"}},
      {"library", {"cuLibraryUnload"}},
      {"link state", {"cuLinkDestroy"}},
      {"allocation", {"cuMemFree", "cuMemFreeAsync", "cuIpcCloseMemHandle"}},
      {"managed block", {"cuMemFree", "cuMemFreeAsync"}},
      {"host block", {"cuMemFreeHost", "cuMemHostUnregister"}},
      {"pool", {"cuMemPoolDestroy"}},
      {"array", {"cuArrayDestroy"}},
      {"mipmapped array", {"cuMipmappedArrayDestroy"}},
      {"texture object", {"cuTexObjectDestroy"}},
      {"surface object", {"cuSurfObjectDestroy"}},
      {"address reservation", {"cuMemAddressFree"}},
      {"reservation", {"cuMemAddressFree"}},
      {"physical memory", {"cuMemRelease"}},
      {"mapping", {"cuMemUnmap", "cuIpcCloseMemHandle"}},
      {"graph", {"cuGraphDestroy"}},
      {"executable graph", {"cuGraphExecDestroy"}},
      {"graph exec", {"cuGraphExecDestroy"}},
      {"user object", {"cuUserObjectRelease"}}};
  const std::string_view kind = object.substr(0, object.find(" #"));
  const auto found = std::find_if(std::begin(releases), std::end(releases),
                                  [&](const Release& release) { return release.kind == kind; });
  return found != std::end(releases) &&
         std::find(found->entries.begin(), found->entries.end(), entry) != found->entries.end();
}

uint64_t FiredDuring(const PortCall& call, size_t fault) {
  return call.fired_after[fault] - call.fired_before[fault];
}

// The fault that fired first in the call. Which of several did, only the call log knows.
size_t FirstFault(const Observation& seen, const PortCall& call) {
  std::vector<size_t> fired;
  for (size_t i = 0; i < call.fired_after.size(); ++i) {
    if (FiredDuring(call, i) != 0) fired.push_back(i);
  }
  if (seen.call_log != nullptr && fired.size() > 1) {
    for (const DriverCall& made : *seen.call_log) {
      if (made.fault == 0 || made.sequence <= call.calls_before) continue;
      for (const size_t i : fired) {
        if (made.fault == seen.record.fault_ids[i]) return i;
      }
    }
  }
  return fired.empty() ? 0 : fired.front();
}

}  // namespace

bool RollbackPrevented(const Observation& seen, const PortCall& call, const std::string& object) {
  const size_t first = FirstFault(seen, call);
  for (size_t i = 0; i < call.fired_after.size(); ++i) {
    const uint64_t fired = FiredDuring(call, i);
    const std::string entry = LookupName(seen.faults[i].entry);
    if (i != first) {
      const bool makes = seen.entries != nullptr && seen.entries->Creates(seen.faults[i].entry);
      if (fired != 0 && !makes) return true;
    } else if (fired > 1 && (Ends(entry, object) || MakesContextCurrent(entry))) {
      return true;
    }
  }
  return false;
}

}  // namespace culprit::suites
