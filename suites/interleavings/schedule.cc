// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/schedule.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace culprit::interleavings {
namespace {

constexpr const char* kEveryCall = "every-call";

}  // namespace

std::string Schedule::Text() const {
  std::string text = at_every_call ? kEveryCall : "";
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
    if (schedule.choices.empty() && word == kEveryCall) {
      schedule.at_every_call = true;
      continue;
    }
    size_t used = 0;
    size_t times = 1;
    try {
      const unsigned long thread = std::stoul(word, &used);
      if (used < word.size() && word[used] == '*') {
        const std::string count = word.substr(used + 1);
        times = std::stoul(count, &used);
        used = used == count.size() ? word.size() : 0;
      }
      if (used != word.size()) throw std::invalid_argument("trailing text");
      schedule.choices.insert(schedule.choices.end(), times, static_cast<ThreadId>(thread));
    } catch (const std::exception&) {
      throw std::invalid_argument(
          fmt::format("'{}' is no part of a schedule; one is like '0*12 1 0*3'", word));
    }
  }
  return schedule;
}

}  // namespace culprit::interleavings
