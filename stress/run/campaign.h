// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stress/report/result.h"
#include "stress/run/trial.h"

namespace culprit::stress {

struct CampaignOptions {
  TrialPlan trial;             // cycles and leak are set per probe
  int64_t cycles = 0;          // of the clean loop; 0: the probe's own
  int64_t control_cycles = 0;  // likewise
  int64_t most_cycles = 0;     // an unsure probe runs again with the cycles it asks for, up to this
  bool control = true;
  AssessOptions assess;
};

// What is being done, for a progress display: "module_load, control: cycle 120 of 400".
using ProgressSink = std::function<void(std::string_view doing, int64_t cycle, int64_t cycles)>;

// Both loops of a probe, and the verdict.
ProbeResult RunProbe(const ProbeInfo& probe, const CampaignOptions& options,
                     const ProgressSink& progress);

// A group of pairs that leak, together when there are several.
struct GuiltyGroup {
  std::vector<std::string> pairs;  // "3: cuModuleLoadData / cuModuleUnload"
  std::vector<std::string>
      growth;  // "heap in use: 25.1 KiB a cycle", one for each resource that grows
};

struct BisectResult {
  Trial whole;  // the run of the whole cycle
  std::vector<GuiltyGroup> groups;
  int runs = 0;
  double seconds = 0;
};

// Names the guilty pairs of a probe's clean cycle. `planted` is a pair whose release is left out,
// to see the method at work. No groups: the cycle does not leak.
BisectResult BisectProbe(const ProbeInfo& probe, const CampaignOptions& options,
                         std::optional<size_t> planted, const ProgressSink& progress);

}  // namespace culprit::stress
