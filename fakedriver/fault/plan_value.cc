// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/plan_value.h"

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "fakedriver/core/results.h"

namespace culprit::fakedriver::fault {
namespace {

constexpr auto kLargest = std::numeric_limits<int64_t>::max();

[[noreturn]] void Refuse(const YAML::Node& node, const std::string& expected) {
  const std::string found = node.IsScalar() ? "'" + node.Scalar() + "'" : "something else";
  throw PlanError(node.Mark(), "plan.value", "expected " + expected + ", found " + found);
}

std::string_view Scalar(const YAML::Node& node, const char* expected) {
  if (!node.IsScalar()) Refuse(node, expected);
  return node.Scalar();
}

// A number that may be followed by a unit; the text after the number is left in *unit.
std::optional<uint64_t> Number(std::string_view text, std::string_view* unit) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  *unit = text.substr(static_cast<size_t>(end - text.data()));
  return value;
}

uint64_t WithUnit(const YAML::Node& node, const char* expected,
                  std::initializer_list<std::pair<std::string_view, uint64_t>> units) {
  std::string_view unit;
  const auto value = Number(Scalar(node, expected), &unit);
  if (!value) Refuse(node, expected);
  for (const auto& [name, factor] : units) {
    if (unit == name && *value <= kLargest / factor) return *value * factor;
  }
  Refuse(node, expected);
}

}  // namespace

std::string TextOf(const YAML::Node& node) { return std::string(Scalar(node, "a text")); }

std::string NotEmptyTextOf(const YAML::Node& node) {
  std::string text = TextOf(node);
  if (text.empty()) Refuse(node, "a text that is not empty");
  return text;
}

bool FlagOf(const YAML::Node& node) {
  const std::string_view text = Scalar(node, "true or false");
  if (text == "true") return true;
  if (text == "false") return false;
  Refuse(node, "true or false");
}

uint64_t CountOf(const YAML::Node& node) {
  return WithUnit(node, "a whole number that is not negative", {{"", 1}});
}

uint64_t PositiveOf(const YAML::Node& node) {
  const uint64_t value = WithUnit(node, "a whole number from 1", {{"", 1}});
  if (value == 0) Refuse(node, "a whole number from 1");
  return value;
}

uint32_t ThreadOf(const YAML::Node& node) {
  constexpr uint32_t kMost = 1'000'000;
  const uint64_t value = PositiveOf(node);
  if (value > kMost) Refuse(node, "a thread from 1 to " + std::to_string(kMost));
  return static_cast<uint32_t>(value);
}

double ProbabilityOf(const YAML::Node& node) {
  const std::string_view text = Scalar(node, "a number from 0 to 1");
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) {
    Refuse(node, "a number from 0 to 1");
  }
  return value;
}

uint64_t BytesOf(const YAML::Node& node) {
  return WithUnit(node, "a size, such as 4096, 64KiB, 2MiB or 1GiB",
                  {{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}});
}

std::chrono::nanoseconds DurationOf(const YAML::Node& node) {
  constexpr const char* kExpected = "a duration of at most a day, such as 250us, 5ms or 2s";
  const std::chrono::nanoseconds duration(WithUnit(
      node, kExpected, {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}));
  if (duration > std::chrono::hours(24)) Refuse(node, kExpected);
  return duration;
}

CUresult ResultOf(const YAML::Node& node) {
  constexpr const char* kExpected = "a result, such as CUDA_ERROR_OUT_OF_MEMORY";
  const std::string_view text = Scalar(node, kExpected);
  if (auto named = ResultNamed(text)) return *named;
  std::string_view rest;
  const auto number = Number(text, &rest);
  if (number && rest.empty() && *number <= kLargest) {
    if (auto numbered = ResultNumbered(static_cast<int64_t>(*number))) return *numbered;
  }
  Refuse(node, kExpected);
}

}  // namespace culprit::fakedriver::fault
