// SPDX-License-Identifier: Apache-2.0
#include "stress/run/campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "stress/report/quantity.h"
#include "stress/run/bisect.h"

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

// The resources that grew in a finished trial, in words.
std::vector<std::string> GrowthOf(const ProbeInfo& probe, const Trial& trial,
                                  const AssessOptions& options) {
  std::vector<std::string> growth;
  const ProbeResult result = Assess(probe, trial, std::nullopt, options);
  for (const ResourceResult& entry : result.resources) {
    if (entry.clean_judgement.verdict != Verdict::kLeak) continue;
    growth.push_back(fmt::format("{}: {} a cycle", InfoOf(entry.resource).title,
                                 Amount(entry.resource, entry.clean_judgement.line.slope)));
  }
  return growth;
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

BisectResult BisectProbe(const ProbeInfo& probe, const CampaignOptions& options,
                         std::optional<size_t> planted, const ProgressSink& progress) {
  const int64_t cycles = options.cycles > 0 ? options.cycles : probe.cycles;
  BisectResult result;
  auto run = [&](std::span<const size_t> pairs) {
    TrialPlan plan = options.trial;
    plan.cycles = cycles;
    plan.warm_up = WarmUpFor(cycles);
    plan.leak = planted;
    plan.only.assign(pairs.begin(), pairs.end());
    ++result.runs;
    const std::string doing = fmt::format("{}, bisection run {}", probe.name, result.runs);
    Trial trial = RunTrial(probe, plan, [&](int64_t cycle) {
      if (progress) progress(doing, cycle, cycles);
    });
    result.seconds += trial.seconds;
    return trial;
  };
  result.whole = run({});
  if (result.whole.ending != Ending::kDone) return result;
  if (planted && *planted >= result.whole.pair_names.size()) {
    result.whole.ending = Ending::kFailed;
    result.whole.reason = fmt::format("there is no pair {}: the cycle has {}", *planted,
                                      result.whole.pair_names.size());
    return result;
  }
  auto leaks_with = [&](std::span<const size_t> pairs) {
    const Trial trial = pairs.size() == result.whole.pair_names.size() ? result.whole : run(pairs);
    return trial.ending == Ending::kDone && !GrowthOf(probe, trial, options.assess).empty();
  };
  for (const std::vector<size_t>& group : FindGuilty(result.whole.pair_needs, leaks_with)) {
    GuiltyGroup guilty;
    for (size_t pair : group) {
      guilty.pairs.push_back(fmt::format("{}: {}", pair, result.whole.pair_names[pair]));
    }
    guilty.growth = GrowthOf(probe, run(group), options.assess);
    result.groups.push_back(std::move(guilty));
  }
  return result;
}

}  // namespace culprit::stress
