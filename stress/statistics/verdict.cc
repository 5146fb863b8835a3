// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "stress/statistics/staircase.h"
#include "stress/statistics/wander.h"
#include "stress/statistics/warm_up.h"

namespace culprit::stress {
namespace {

constexpr size_t kFewestReadings = 12;
constexpr int kParts = 3;
constexpr int kFewestRises = 4;
// A part may grow this much slower than the mean of the others and still keep the pace.
constexpr double kSlowestPart = 0.25;

struct Parts {
  std::array<double, kParts> middle{};  // median cycle of each third
  std::array<double, kParts> height{};  // median value of each third

  double Growth() const { return height.back() - height.front(); }
  double Length() const { return middle.back() - middle.front(); }
  bool KeepPace() const {
    const double mean = Growth() / (kParts - 1);
    for (int i = 1; i < kParts; ++i) {
      if (height[i] - height[i - 1] < kSlowestPart * mean || mean <= 0) return false;
    }
    return true;
  }
};

// Median of the few readings around `at`.
double HeightNear(std::span<const Point> series, size_t at) {
  constexpr size_t kReach = 2;
  const size_t first = at < kReach ? 0 : at - kReach;
  const size_t last = std::min(series.size(), at + kReach + 1);
  std::vector<double> values;
  for (const Point& point : series.subspan(first, last - first)) values.push_back(point.value);
  return Median(values);
}

// How a stretch grew in its first and second half, and how far chance may move either.
struct Halves {
  double first = 0;
  double second = 0;
  double chance = 0;
};

// In stairs the heights tell, to within a chunk; in noise the halves' own lines, to within theirs.
Halves CompareHalves(std::span<const Point> series, const Staircase& staircase) {
  const size_t half = series.size() / 2;
  if (staircase.stepped) {
    const double middle = HeightNear(series, half);
    return {middle - HeightNear(series, 0), HeightNear(series, series.size() - 1) - middle,
            staircase.chunk};
  }
  constexpr double kConfidence = 0.95;
  const Line first = FitTheilSen(series.first(half), kConfidence);
  const Line second = FitTheilSen(series.subspan(half), kConfidence);
  return {first.slope, second.slope,
          std::hypot(first.upper - first.lower, second.upper - second.lower) / 2};
}

// Caches and high-water marks slow down, leaks do not. A curve that bends for ever, as the
// logarithm does, looks straight over any stretch not much longer than the warm-up that was cut off
// before it; its second half then grows 0.71 times as much as its first, or less. So behind a long
// warm-up an even pace has to be shown, and elsewhere a slower one.
bool MayBeSettling(std::span<const Point> series, const Staircase& staircase, double warm_up) {
  constexpr double kLongerThanWarmUp = 4;
  constexpr double kEven = 0.75;
  const Halves halves = CompareHalves(series, staircase);
  const double length = series.back().cycle - series.front().cycle;
  if (length < kLongerThanWarmUp * warm_up) {
    return halves.second - halves.chance < kEven * (halves.first + halves.chance);
  }
  return halves.second < kEven * halves.first - halves.chance;
}

Parts Divide(std::span<const Point> series) {
  Parts parts;
  for (size_t part = 0; part < kParts; ++part) {
    const size_t first = part * series.size() / kParts;
    const size_t last = (part + 1) * series.size() / kParts;
    std::vector<double> cycles;
    std::vector<double> values;
    for (const Point& point : series.subspan(first, last - first)) {
      cycles.push_back(point.cycle);
      values.push_back(point.value);
    }
    parts.middle[part] = Median(cycles);
    parts.height[part] = Median(values);
  }
  return parts;
}

// Two leading digits are promise enough.
double RoundUp(double cycles) {
  if (!std::isfinite(cycles) || cycles <= 0) return cycles;
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(cycles)) - 1));
  return std::ceil(cycles / unit) * unit;
}

Judgement Unsure(Judgement judgement, double cycles, std::string reason) {
  judgement.verdict = Verdict::kUnsure;
  judgement.cycles_needed = RoundUp(std::max(cycles, judgement.kept_cycles * 1.5));
  judgement.reason = std::move(reason);
  return judgement;
}

}  // namespace

std::string_view NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFlat:
      return "flat";
    case Verdict::kLeak:
      return "leak";
    case Verdict::kUnsure:
      return "unsure";
  }
  return "?";
}

Judgement Judge(std::span<const Point> series, const Question& question) {
  Judgement judgement;
  judgement.kept_from = FindWarmUpEnd(series, question.granularity);
  const std::span<const Point> kept = series.subspan(judgement.kept_from);
  if (kept.size() < 2) return Unsure(judgement, kFewestReadings, "too few readings");
  const double length = kept.back().cycle - kept.front().cycle;
  judgement.kept_cycles = length;
  judgement.line = FitTheilSen(kept, question.confidence);
  const Staircase staircase = DescribeStaircase(kept, question.granularity);
  judgement.chunk = staircase.chunk;
  judgement.rises = staircase.rises;
  if (kept.size() < kFewestReadings) {
    return Unsure(judgement, length * kFewestReadings / static_cast<double>(kept.size()),
                  "too few readings after warm-up");
  }

  // What is really in use lies up to a chunk below each reading, so the pace between the first and
  // the last third is known to within one chunk.
  const Parts parts = Divide(kept);
  const double pace = parts.Growth() / parts.Length();
  const double blur = staircase.chunk / parts.Length();
  judgement.lower = std::min(pace - blur, judgement.line.slope);
  judgement.upper = std::max(pace + blur, judgement.line.slope);
  double half_width = 0;
  if (!staircase.stepped) {
    const double wander =
        TwoSidedNormalQuantile(question.confidence) * WanderPerCycle(kept, judgement.line.slope);
    half_width = std::hypot((judgement.line.upper - judgement.line.lower) / 2, wander);
    judgement.lower = std::min(judgement.lower, judgement.line.slope - half_width);
    judgement.upper = std::max(judgement.upper, judgement.line.slope + half_width);
  }
  const double seen_through_chunks = kFewestRises * staircase.chunk / length;
  // Twice the interval: beside being significant, the growth must show in every third.
  judgement.detectable = std::max(2 * half_width, seen_through_chunks);

  if (judgement.lower > question.tolerance) {
    const double warm_up = kept.front().cycle - series.front().cycle;
    if (parts.KeepPace() && staircase.rises >= kFewestRises &&
        !MayBeSettling(kept, staircase, warm_up)) {
      judgement.verdict = Verdict::kLeak;
      judgement.reason = "grows at an even pace";
      return judgement;
    }
    if (!std::isfinite(question.must_see) || judgement.upper > question.must_see) {
      return Unsure(judgement, 4 * length, "it grew, but may still be settling");
    }
    judgement.verdict = Verdict::kFlat;
    judgement.reason = "uneven growth, far below one object";
    return judgement;
  }
  if (!std::isfinite(question.must_see)) {
    // No yardstick: flat unless something grew that chunks might still explain.
    if (!staircase.stepped && judgement.line.lower > question.tolerance) {
      return Unsure(judgement, 3 * length, "it grew, by no more than chunks or wander explain");
    }
    judgement.verdict = Verdict::kFlat;
    judgement.reason = staircase.rises == 0 ? "no new height" : "no lasting growth";
    return judgement;
  }
  const double must_see = std::max(question.must_see, question.tolerance);
  if (judgement.detectable <= must_see && judgement.upper <= must_see) {
    judgement.verdict = Verdict::kFlat;
    judgement.reason = staircase.rises == 0 ? "no new height" : "no lasting growth";
    return judgement;
  }
  const double by_chunks = length * seen_through_chunks / must_see;
  const double by_noise = length * std::pow(2 * half_width / must_see, 2.0 / 3.0);
  return Unsure(judgement, std::max(by_chunks, by_noise),
                judgement.detectable > must_see ? "the run could not have seen such a leak"
                                                : "growth that noise may explain");
}

}  // namespace culprit::stress
