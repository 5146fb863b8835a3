// SPDX-License-Identifier: Apache-2.0
#include "input/number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace culprit {
namespace {

template <typename Number>
std::optional<Number> Whole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint64_t> WholeNumberIn(std::string_view text) { return Whole<uint64_t>(text); }

std::optional<double> NumberIn(std::string_view text) {
  const auto value = Whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace culprit
