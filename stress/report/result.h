// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stress/report/known_growth.h"
#include "stress/run/probe.h"
#include "stress/run/trial.h"
#include "stress/sample/resource.h"
#include "stress/statistics/verdict.h"

namespace culprit::stress {

// How a probe came out.
enum class Status { kFlat, kLeak, kUnsure, kSkipped, kFailed };

std::string_view NameOf(Status status);

// One resource of a probe: both loops and what was made of them.
struct ResourceResult {
  Resource resource = Resource::kHeap;
  Series clean;
  Series control;  // empty when no control was run
  Judgement clean_judgement;
  std::optional<Judgement> control_judgement;
  double must_see = std::numeric_limits<double>::infinity();  // what the verdict was held against
  std::string known;  // why growth was accepted, when the driver is known for it
};

struct ProbeResult {
  const ProbeInfo* probe = nullptr;
  Status status = Status::kFailed;
  std::string reason;        // one sentence for a reader
  double cycles_needed = 0;  // of an unsure one
  int64_t cycles = 0;        // of the clean loop
  Trial clean;
  Trial control;
  std::vector<ResourceResult> resources;  // those that could be read
  double seconds = 0;                     // until the verdict
};

struct AssessOptions {
  double confidence = 0.999;
  // Growth per cycle that is accepted, per resource.
  std::array<double, kResourceCount> tolerance{};
  std::vector<KnownGrowth> known;
  // The resources that count; empty: all.
  std::vector<Resource> watched;
};

// The verdict on a probe. A resource on which the control leaks gives a yardstick: a flat clean
// loop must have been able to see half an object. Where no resource but the probe's own handle
// count shows the control, the run was blind, and the verdict is unsure whatever the clean loop
// looks like.
ProbeResult Assess(const ProbeInfo& probe, Trial clean, std::optional<Trial> control,
                   const AssessOptions& options);

}  // namespace culprit::stress
