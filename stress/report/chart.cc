// SPDX-License-Identifier: Apache-2.0
#include "stress/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stress/report/quantity.h"

namespace culprit::stress {
namespace {

constexpr double kWidth = 300;
constexpr double kHeight = 130;
constexpr double kLeft = 8;
constexpr double kTop = 34;
constexpr double kBottom = 18;

// Maps readings to the drawing.
struct Frame {
  double first_cycle = 0;
  double last_cycle = 1;
  double lowest = 0;
  double highest = 1;
  double base = 0;  // the first reading

  double X(double cycle) const {
    return kLeft +
           (kWidth - 2 * kLeft) * (cycle - first_cycle) / std::max(1.0, last_cycle - first_cycle);
  }
  double Y(double value) const {
    const double height = kHeight - kTop - kBottom;
    return kTop + height * (1 - (value - base - lowest) / (highest - lowest));
  }
};

Frame FrameOf(const Series& series) {
  Frame frame;
  frame.first_cycle = series.front().cycle;
  frame.last_cycle = series.back().cycle;
  frame.base = series.front().value;
  frame.lowest = 0;
  frame.highest = 0;
  for (const Point& point : series) {
    frame.lowest = std::min(frame.lowest, point.value - frame.base);
    frame.highest = std::max(frame.highest, point.value - frame.base);
  }
  if (frame.highest == frame.lowest) frame.highest = frame.lowest + 1;
  return frame;
}

std::string Path(const Series& series, const Frame& frame) {
  std::string path;
  double last_y = NAN;
  for (size_t i = 0; i < series.size(); ++i) {
    const double y = frame.Y(series[i].value);
    // A level stretch needs its ends only.
    const bool between = y == last_y && i + 1 < series.size() && frame.Y(series[i + 1].value) == y;
    if (between) continue;
    path += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "M" : "L", frame.X(series[i].cycle), y);
    last_y = y;
  }
  return path;
}

}  // namespace

std::string Chart(const std::string& title, Resource resource, const Series& series,
                  const Judgement& judgement) {
  if (series.empty()) return {};
  const Frame frame = FrameOf(series);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "<text x=\"{2}\" y=\"12\" class=\"title\">{3}</text>\n"
      "<text x=\"{2}\" y=\"26\" class=\"{4}\">{4}, {5} a cycle</text>\n",
      kWidth, kHeight, kLeft, title, NameOf(judgement.verdict),
      Amount(resource, judgement.line.slope));
  if (judgement.kept_from > 0 && judgement.kept_from < series.size()) {
    const double until = frame.X(series[judgement.kept_from].cycle);
    svg += fmt::format("<rect class=\"warm\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>\n",
                       kLeft, kTop, until - kLeft, kHeight - kTop - kBottom);
  }
  svg += fmt::format("<path class=\"series\" d=\"{}\"/>\n", Path(series, frame));
  if (judgement.kept_from < series.size()) {
    const double from = series[judgement.kept_from].cycle;
    auto inside = [&](double y) { return std::clamp(y, kTop, kHeight - kBottom); };
    svg += fmt::format(
        "<line class=\"fit\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
        frame.X(from), inside(frame.Y(judgement.line.At(from))), frame.X(frame.last_cycle),
        inside(frame.Y(judgement.line.At(frame.last_cycle))));
  }
  const double grown = series.back().value - frame.base;
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" class=\"axis\">cycle {:.0f}</text>\n"
      "<text x=\"{}\" y=\"{}\" class=\"axis end\">{:.0f}: {}{}</text>\n</svg>\n",
      kLeft, kHeight - 5, frame.first_cycle, kWidth - kLeft, kHeight - 5, frame.last_cycle,
      grown >= 0 ? "+" : "", Amount(resource, grown));
  return svg;
}

}  // namespace culprit::stress
