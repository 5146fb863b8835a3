// SPDX-License-Identifier: Apache-2.0
#include "stress/run/campaign.h"

#include <algorithm>

namespace culprit::stress {
namespace {

// A tenth of the cycles, within reason, before the first reading.
int64_t WarmUpFor(int64_t cycles) { return std::clamp<int64_t>(cycles / 10, 3, 200); }

Trial RunLoop(const ProbeInfo& probe, const CampaignOptions& options, int64_t cycles,
              std::optional<size_t> leak, const ProgressSink& progress) {
  TrialPlan plan = options.trial;
  plan.cycles = cycles;
  plan.warm_up = WarmUpFor(cycles);
  plan.leak = leak;
  const std::string doing = std::string(probe.name) + (leak ? ", control" : "");
  if (progress) progress(doing, 0, cycles);
  return RunTrial(probe, plan, [&](int64_t cycle) {
    if (progress) progress(doing, cycle, cycles);
  });
}

}  // namespace

ProbeResult RunProbe(const ProbeInfo& probe, const CampaignOptions& options,
                     const ProgressSink& progress) {
  int64_t cycles = options.cycles > 0 ? options.cycles : probe.cycles;
  const int64_t control_cycles =
      options.control_cycles > 0 ? options.control_cycles : probe.control_cycles;
  Trial clean = RunLoop(probe, options, cycles, std::nullopt, progress);
  std::optional<Trial> control;
  if (options.control && clean.ending == Ending::kDone) {
    control = RunLoop(probe, options, control_cycles, clean.control, progress);
  }
  ProbeResult result = Assess(probe, std::move(clean), std::move(control), options.assess);
  while (result.status == Status::kUnsure && cycles < options.most_cycles) {
    // Warm-up may have cost readings: ask for a little more than the least.
    const auto asked = static_cast<int64_t>(1.2 * result.cycles_needed);
    cycles = std::clamp(asked, cycles + 1, options.most_cycles);
    const double spent = result.seconds;
    Trial again = RunLoop(probe, options, cycles, std::nullopt, progress);
    std::optional<Trial> same_control;
    if (options.control) same_control = std::move(result.control);
    result = Assess(probe, std::move(again), std::move(same_control), options.assess);
    result.seconds = spent + result.clean.seconds;
  }
  return result;
}

}  // namespace culprit::stress
