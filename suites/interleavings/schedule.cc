// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "input/input_error.h"
#include "input/number.h"

namespace culprit::interleavings {
namespace {

// What text begins with, by CallPoints.
constexpr const char* kPrefixes[] = {"", "calls", "every-call"};
constexpr uint64_t kMostThreads = 4096;
constexpr size_t kMostChoices = 100000000;

}  // namespace

std::string Schedule::Text() const {
  std::string text = kPrefixes[static_cast<size_t>(call_points)];
  for (size_t i = 0; i < choices.size();) {
    size_t end = i;
    while (end < choices.size() && choices[end] == choices[i]) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : " ", choices[i]);
    if (end - i > 1) text += fmt::format("*{}", end - i);
    i = end;
  }
  return text;
}

Schedule Schedule::Parse(const std::string& text) {
  Schedule schedule;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto* prefix = std::find(std::begin(kPrefixes), std::end(kPrefixes), word);
    if (schedule.choices.empty() && prefix != std::end(kPrefixes)) {
      schedule.call_points = static_cast<CallPoints>(prefix - std::begin(kPrefixes));
      continue;
    }
    const size_t star = std::min(word.find('*'), word.size());
    const auto thread = WholeNumberIn(std::string_view(word).substr(0, star));
    const auto times =
        star == word.size() ? 1 : WholeNumberIn(std::string_view(word).substr(star + 1));
    if (!thread || !times || *thread > kMostThreads || *times < 1 ||
        *times > kMostChoices - schedule.choices.size()) {
      throw InputError(
          fmt::format("'{}' is no part of a schedule; one is like '0*12 1 0*3'", word));
    }
    schedule.choices.insert(schedule.choices.end(), *times, static_cast<ThreadId>(*thread));
  }
  return schedule;
}

}  // namespace culprit::interleavings
