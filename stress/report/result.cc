// SPDX-License-Identifier: Apache-2.0
#include "stress/report/result.h"

#include <fmt/format.h>

#include <algorithm>

#include "stress/report/quantity.h"

namespace culprit::stress {
namespace {

Series SeriesOf(const std::vector<Sample>& samples, Resource resource) {
  Series series;
  for (const Sample& sample : samples) {
    if (sample[resource] == kUnavailable) return {};
    series.push_back({static_cast<double>(sample.cycle), static_cast<double>(sample[resource])});
  }
  return series;
}

Status StatusOf(Ending ending) {
  return ending == Ending::kSkipped ? Status::kSkipped : Status::kFailed;
}

bool IsWatched(Resource resource, const AssessOptions& options) {
  return options.watched.empty() || std::find(options.watched.begin(), options.watched.end(),
                                              resource) != options.watched.end();
}

void AssessResources(ProbeResult& result, bool with_control, const AssessOptions& options) {
  for (const ResourceInfo& info : kResources) {
    if (!IsWatched(info.resource, options)) continue;
    ResourceResult entry;
    entry.resource = info.resource;
    entry.clean = SeriesOf(result.clean.samples, info.resource);
    if (entry.clean.empty()) continue;
    Question question{.granularity = info.granularity, .confidence = options.confidence};
    if (with_control) {
      entry.control = SeriesOf(result.control.samples, info.resource);
      entry.control_judgement = Judge(entry.control, question);
      if (entry.control_judgement->verdict == Verdict::kLeak) {
        entry.must_see = std::max(entry.control_judgement->line.slope / 2, info.smallest_yardstick);
      }
    }
    question.tolerance = options.tolerance[static_cast<size_t>(info.resource)];
    question.must_see = entry.must_see;
    const KnownGrowth* known = FindKnownGrowth(options.known, result.clean.machine.driver_version,
                                               result.probe->name, info.resource);
    if (known != nullptr) {
      question.tolerance += known->per_cycle;
      entry.known = known->reason;
    }
    entry.clean_judgement = Judge(entry.clean, question);
    result.resources.push_back(std::move(entry));
  }
}

bool ShowsTheControl(const ResourceResult& entry) {
  return entry.resource != Resource::kHandles && entry.control_judgement &&
         entry.control_judgement->verdict == Verdict::kLeak;
}

// The resource to quote: what the driver alone decides before what the machine's load can move.
const ResourceResult* ClearestSightOfTheControl(const ProbeResult& result) {
  const ResourceResult* clearest = nullptr;
  for (const ResourceResult& entry : result.resources) {
    if (!ShowsTheControl(entry)) continue;
    if (clearest == nullptr ||
        (clearest->resource != Resource::kDeviceMemory && entry.resource == Resource::kHeap)) {
      clearest = &entry;
    }
  }
  return clearest;
}

const ResourceResult* WorstWith(const ProbeResult& result, Verdict verdict) {
  const ResourceResult* worst = nullptr;
  for (const ResourceResult& entry : result.resources) {
    if (entry.clean_judgement.verdict != verdict) continue;
    if (worst == nullptr ||
        entry.clean_judgement.cycles_needed > worst->clean_judgement.cycles_needed) {
      worst = &entry;
    }
  }
  return worst;
}

void Decide(ProbeResult& result, bool with_control) {
  if (const ResourceResult* leak = WorstWith(result, Verdict::kLeak)) {
    result.status = Status::kLeak;
    const Judgement& judgement = leak->clean_judgement;
    result.reason = fmt::format("{} grows by {} a cycle ({} to {})", InfoOf(leak->resource).title,
                                Amount(leak->resource, judgement.line.slope),
                                Amount(leak->resource, judgement.lower),
                                Amount(leak->resource, judgement.upper));
    return;
  }
  const ResourceResult* seen = ClearestSightOfTheControl(result);
  if (with_control && seen == nullptr) {
    result.status = Status::kUnsure;
    result.cycles_needed = 4 * static_cast<double>(result.cycles);
    result.reason =
        fmt::format("blind: {} lost each cycle left no trace in the control", result.probe->object);
    return;
  }
  if (const ResourceResult* unsure = WorstWith(result, Verdict::kUnsure)) {
    result.status = Status::kUnsure;
    result.cycles_needed = unsure->clean_judgement.cycles_needed;
    result.reason = fmt::format("{}: {}; run {:.0f} cycles", InfoOf(unsure->resource).title,
                                unsure->clean_judgement.reason, result.cycles_needed);
    return;
  }
  result.status = Status::kFlat;
  if (!with_control) {
    result.reason = "no control was run, so only the printed power gives this a meaning";
    return;
  }
  result.reason = fmt::format("could have seen {} of {} a cycle; {} is {}",
                              Amount(seen->resource, seen->clean_judgement.detectable),
                              InfoOf(seen->resource).title, result.probe->object,
                              Amount(seen->resource, seen->control_judgement->line.slope));
}

}  // namespace

std::string_view NameOf(Status status) {
  switch (status) {
    case Status::kFlat:
      return "flat";
    case Status::kLeak:
      return "leak";
    case Status::kUnsure:
      return "unsure";
    case Status::kSkipped:
      return "skipped";
    case Status::kFailed:
      return "failed";
  }
  return "?";
}

ProbeResult Assess(const ProbeInfo& probe, Trial clean, std::optional<Trial> control,
                   const AssessOptions& options) {
  ProbeResult result;
  result.probe = &probe;
  result.clean = std::move(clean);
  const bool with_control = control.has_value();
  if (with_control) result.control = std::move(*control);
  result.seconds = result.clean.seconds + result.control.seconds;
  if (!result.clean.samples.empty()) result.cycles = result.clean.samples.back().cycle;
  if (result.clean.ending != Ending::kDone) {
    result.status = StatusOf(result.clean.ending);
    result.reason = result.clean.reason;
    return result;
  }
  if (with_control && result.control.ending != Ending::kDone) {
    result.status = StatusOf(result.control.ending);
    result.reason = "control: " + result.control.reason;
    return result;
  }
  AssessResources(result, with_control, options);
  Decide(result, with_control);
  return result;
}

}  // namespace culprit::stress
