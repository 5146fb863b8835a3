// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace culprit::inventory {
namespace {

// Of text in any encoding that compilers read there are hardly any; random bytes have one in ten.
constexpr size_t kOneIn = 32;

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool space = byte >= '\t' && byte <= '\r';
  constexpr unsigned char kEndOfFile = 0x1a, kEscape = 0x1b;
  return byte < ' ' && !space && byte != kEndOfFile && byte != kEscape;
}

}  // namespace

std::string WhyNoSource(std::string_view text) {
  const auto controls = static_cast<size_t>(std::count_if(text.begin(), text.end(), IsControl));
  if (controls * kOneIn <= text.size()) return {};
  return fmt::format("{} of its {} bytes are no characters of a text", controls, text.size());
}

}  // namespace culprit::inventory
