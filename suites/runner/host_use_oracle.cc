// SPDX-License-Identifier: Apache-2.0
//
// The process's own resources. A subject may keep memory and the driver's library for the life of
// the process; what it may not do is take more of them in every life cycle.
#include <fmt/format.h>

#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

// The first cycle may make what is kept; growth in each of the others is a leak.
template <typename Measure>
bool GrowsInEveryCycle(const std::vector<HostUse>& cycles, Measure measure) {
  constexpr size_t kFewest = 3;
  if (cycles.size() < kFewest) return false;
  for (size_t i = 1; i < cycles.size(); ++i) {
    if (measure(cycles[i]) <= measure(cycles[i - 1])) return false;
  }
  return true;
}

void Report(const char* id, std::string message, Findings* findings) {
  findings->push_back({.id = id, .message = std::move(message), .step = {}});
}

}  // namespace

void JudgeHostUse(const Observation& seen, Findings* findings) {
  if (seen.record.locked_mutexes != 0) {
    Report("port.locked_mutex_destroyed",
           fmt::format("{} mutexes were destroyed while they were locked, which is undefined",
                       seen.record.locked_mutexes),
           findings);
  }
  if (!seen.scenario.expect.steady) return;
  const std::vector<HostUse>& cycles = seen.record.host_use_after_cycle;
  if (GrowsInEveryCycle(cycles, [](const HostUse& use) { return use.driver_references; })) {
    Report("leak.driver_library",
           fmt::format("every life cycle leaves libcuda.so.1 opened once more than closed; after "
                       "{} of them {} openings are left",
                       cycles.size(), cycles.back().driver_references),
           findings);
  }
  if (GrowsInEveryCycle(cycles, [](const HostUse& use) { return use.heap_blocks; })) {
    Report("leak.heap",
           fmt::format("every life cycle leaves more of the subject's blocks on the heap: {} of {} "
                       "bytes after the first, {} of {} bytes after {}",
                       cycles.front().heap_blocks, cycles.front().heap_bytes,
                       cycles.back().heap_blocks, cycles.back().heap_bytes, cycles.size()),
           findings);
  }
}

}  // namespace culprit::suites
