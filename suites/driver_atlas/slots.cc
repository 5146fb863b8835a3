// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/slots.h"

#include <charconv>

namespace culprit::atlas {
namespace {

std::optional<uint64_t> ParseNumber(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  const bool hex = text.compare(negative ? 1 : 0, 2, "0x") == 0;
  const char* first = text.data() + (negative ? 1 : 0) + (hex ? 2 : 0);
  const char* last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last || first == last) return std::nullopt;
  return negative ? ~value + 1 : value;
}

// Pinned memory has one address for both sides.
bool IsSame(Kind one, Kind other) {
  auto memory = [](Kind kind) { return kind == Kind::kHost ? Kind::kPointer : kind; };
  return memory(one) == memory(other);
}

}  // namespace

const Slot* Slots::Find(const std::string& name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? nullptr : &found->second;
}

void Slots::MarkDead(Kind kind, uint64_t value) {
  for (auto& [name, slot] : slots_) {
    const bool ended_with_it = kind == Kind::kModule && slot.module == value && value != 0;
    if ((IsSame(slot.kind, kind) && slot.value == value) || ended_with_it) slot.alive = false;
  }
}

std::optional<uint64_t> Slots::Evaluate(const std::string& operand) const {
  if (operand == "nil") return 0;
  if (operand == "legacy") return 1;
  if (operand == "perthread") return 2;
  if (const auto number = ParseNumber(operand)) return number;
  const size_t plus = operand.find('+');
  const Slot* slot = Find(operand.substr(0, plus));
  if (slot == nullptr) return std::nullopt;
  if (plus == std::string::npos) return slot->value;
  const auto offset = ParseNumber(operand.substr(plus + 1));
  if (!offset) return std::nullopt;
  return slot->value + *offset;
}

std::string Slots::Describe(const std::string& own_name, Kind kind, uint64_t value) const {
  if (value == 0) return "null";
  for (const auto& [name, slot] : slots_) {
    // A primary context keeps its handle for life, so contexts are compared dead or alive.
    if (name != own_name && slot.kind == kind && slot.value == value &&
        (slot.alive || kind == Kind::kContext)) {
      return "=" + name;
    }
  }
  return "new";
}

}  // namespace culprit::atlas
