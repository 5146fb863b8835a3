// SPDX-License-Identifier: Apache-2.0
//
// One planned fault, as plans and the control table describe it: where, when, how long and what.
#ifndef FAKEDRIVER_FAULT_FAULT_H_
#define FAKEDRIVER_FAULT_FAULT_H_

#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::fault {

// Rows of the table, by ApiId.
using Entries = std::bitset<kApiCount>;

Entries AllEntries();
// A lookup name means every variant of it, per-thread aliases included ("cuMemAlloc"); any other
// exported symbol means that one entry ("cuMemAlloc_v2"). Empty: no such name.
Entries EntriesNamed(std::string_view name);
// Empty: no such family.
Entries EntriesOfFamily(std::string_view family);

// Where. A call of the subject matches when its entry is among `entries`, on the thread asked for,
// below a function of that name. What matches is counted from when the fault is planned.
struct Site {
  Entries entries;
  uint32_t thread = 0;  // ordinal; 0: any
  std::string below;    // a function that must be on the call stack; empty: any
};

// When. The matching calls on which the fault may fire; the conditions given all hold.
struct Trigger {
  uint64_t nth = 0;          // from this one on; 0: from the first
  uint64_t every = 0;        // each so-manieth; 0: each
  uint64_t after = 0;        // beyond so many
  double probability = 1.0;  // drawn from seed and the number of the matching call
  double active = 1.0;       // drawn once for the plan: whether the fault exists at all in this run
  uint64_t seed = 0;
};

// How long: so many firings. Sticky is without end.
inline constexpr uint64_t kSticky = ~uint64_t{0};

// What.
enum class Timing : uint8_t {
  kBefore,  // the call has no effect
  kAfter,   // the call has its effect and reports failure
  kLater,   // the call succeeds; the error surfaces at a later call
};

struct Surface {
  Site site;
  uint64_t nth = 1;  // matching call, counted from the one that failed
};

struct Consequence {
  std::optional<CUresult> result;  // none: the call is only delayed, blocked or never returns
  Timing timing = Timing::kBefore;
  Surface surface;  // with kLater
  bool lose_contexts = false;
  bool block = false;  // until the fault is lifted
  bool kill = false;   // the process ends here, as by SIGKILL
  std::chrono::nanoseconds delay{0};
  std::optional<uint64_t> memory_budget;  // bytes of device memory, from now on; needs no site
};

struct Fault {
  std::string name;  // for reports: "plan.yaml:3", or what the harness asked for
  Site site;
  Trigger trigger;
  uint64_t times = 1;
  Consequence consequence;
  bool optional = false;
};

// The rule that the fault breaks, as one sentence, or empty.
std::string Objection(const Fault& fault);

}  // namespace culprit::fakedriver::fault

#endif  // FAKEDRIVER_FAULT_FAULT_H_
