// SPDX-License-Identifier: Apache-2.0
//
// The questions that control, trace and reports ask about the state of the machine.
#ifndef FAKEDRIVER_CORE_INSPECT_H_
#define FAKEDRIVER_CORE_INSPECT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

// Objects of the subject that are alive; orphans of an injection are counted in `orphaned` and
// `others` never includes them.
struct LiveCounts {
  uint32_t contexts = 0;
  uint32_t primary_retains = 0;
  uint32_t streams = 0;
  uint32_t events = 0;
  uint32_t modules = 0;
  uint32_t libraries = 0;
  uint32_t allocations = 0;
  uint32_t host_blocks = 0;
  uint32_t pools = 0;
  uint32_t graphs = 0;
  uint32_t graph_execs = 0;
  uint32_t user_objects = 0;
  uint32_t mappings = 0;
  uint32_t others = 0;
  uint32_t orphaned = 0;
  uint64_t device_bytes = 0;
  uint64_t host_bytes = 0;
};

struct LiveObject {
  std::string kind;     // "stream", "host block", ...
  uint64_t number = 0;  // counts objects of the kind from 1: "event #7"
  uint64_t handle = 0;
  uint64_t context = 0;       // handle of the owner; 0: none
  uint64_t bytes = 0;         // of memory objects
  bool harness = false;       // made by the harness
  bool orphan = false;        // made by a call whose success an injected error hid
  uint64_t created_call = 0;  // sequence number; 0: not by a call of the subject
  const char* created_entry = "";
  uint32_t created_thread = 0;
  const void* created_return_address = nullptr;
};

LiveCounts CountLive();
std::vector<LiveObject> LiveObjects();

// The vendor's driver behind this one, by path: empty for the fake, which has none.
std::string VendorLibrary();

// Back to the state before cuInit. No other thread may be in the driver.
void ResetMachine();

// Of the calling thread.
uint32_t ContextStackDepth() noexcept;
uint64_t CurrentContextHandle() noexcept;  // 0: none

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_INSPECT_H_
