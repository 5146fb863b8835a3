// SPDX-License-Identifier: Apache-2.0
//
// What the harness or the environment chose, and what every part of the fake may read at any time
// without a lock. Settings change only while no object is alive (control's configure, or the
// environment before the first call).
#ifndef FAKEDRIVER_CORE_SETTINGS_H_
#define FAKEDRIVER_CORE_SETTINGS_H_

#include <cstdint>
#include <string>

namespace culprit::fakedriver {

// Which result a call returns where documentation and drivers differ.
enum class ProfileName : uint8_t { kR580, kStrict, kStrictSubmit };

// When queued work runs.
enum class Policy : uint8_t { kEager, kTimed, kLazy, kRandom };

// Whether the handle of a destroyed object is given out again.
enum class HandleReuse : uint8_t { kNever, kNewestFirst };

// What is checked while kernels and copies run. Each costs time only where it is on.
struct CheckSettings {
  bool out_of_bounds = true;
  bool use_after_free = true;
  bool uninitialized = false;
  bool races = false;          // in shared memory, between the warps of a block
  bool block_races = false;    // in global memory, between the blocks of a launch
  bool stream_races = true;    // between operations of streams that nothing orders
  bool pending_copies = true;  // poisoned destinations and hashed sources, under lazy and random
};

// Device memory that objects cost besides what they were asked to hold, in bytes. Measured on an
// H200 with driver 580 (docs/driver-memory.md).
struct MemoryCosts {
  uint64_t context = uint64_t{512} << 20;
  uint64_t stream = 571392;
  uint64_t event = 0;
  uint64_t function = 2560;  // code of a kernel that was looked up; globals are allocations
  uint64_t graph_exec = 114688;
};

struct Settings {
  ProfileName profile = ProfileName::kR580;
  Policy policy = Policy::kTimed;
  uint64_t seed = 1;  // of the random policy
  HandleReuse handle_reuse = HandleReuse::kNever;
  std::string devices;   // path of a description file; empty: the built-in device
  std::string trace;     // path of the trace; empty: none
  bool certify = false;  // severities of findings as when certifying
  CheckSettings checks;
  MemoryCosts costs;
  uint32_t polls_per_step = 8;       // lazy: each k-th unsuccessful query completes one operation
  uint32_t idle_drain_ms = 20;       // lazy: no driver call for so long drains the queues; 0: never
  uint64_t kernel_instructions = 0;  // limit for one launch, over all its warps; 0: none
  uint32_t kernel_workers = 1;       // threads that may run the blocks of a launch
};

namespace settings_internal {
extern Settings* const current;
}

inline const Settings& CurrentSettings() noexcept { return *settings_internal::current; }

// For control and tests: no other thread may be in the driver.
void ChangeSettings(const Settings& settings);

const char* ProfileText(ProfileName profile);  // "r580", "strict", "strict-submit"
const char* PolicyText(Policy policy);         // "eager", "timed", "lazy", "random"
const char* ReuseText(HandleReuse reuse);      // "never", "newest-first"

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_SETTINGS_H_
