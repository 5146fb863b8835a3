// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/api.h"

#include <algorithm>
#include <numeric>

namespace culprit::fakedriver {
namespace {

constexpr std::array<const char*, kFamilyCount> kFamilyNames = {
    "error",         "init",           "device",     "primary_context",
    "context",       "module",         "library",    "function",
    "link",          "launch",         "memory",     "copy",
    "pool",          "virtual_memory", "ipc",        "array",
    "texture",       "stream",         "event",      "graph",
    "green_context", "peer",           "external",   "graphics",
    "profiler",      "coredump",       "checkpoint", "debugger",
    "other"};

std::string_view Symbol(uint16_t index) { return kApis[index].symbol; }

// Row numbers in the order of their symbols.
std::array<uint16_t, kApiCount> SortedBySymbol() {
  std::array<uint16_t, kApiCount> order;
  std::iota(order.begin(), order.end(), uint16_t{0});
  std::ranges::sort(order, {}, Symbol);
  return order;
}

}  // namespace

const char* FamilyName(Family family) { return kFamilyNames[static_cast<size_t>(family)]; }

std::optional<Family> FamilyNamed(std::string_view name) {
  auto found = std::ranges::find(kFamilyNames, name);
  if (found == kFamilyNames.end()) return std::nullopt;
  return static_cast<Family>(found - kFamilyNames.begin());
}

const char* EffectName(Effect effect) {
  constexpr std::array names = {"queries", "sets", "creates", "destroys", "submits", "waits"};
  return names[static_cast<size_t>(effect)];
}

const char* NeedsName(Needs needs) {
  constexpr std::array names = {"nothing", "initialized", "current", "current_or_stream",
                                "owner_at_teardown"};
  return names[static_cast<size_t>(needs)];
}

std::optional<ApiId> ApiNamed(std::string_view symbol) {
  static const std::array<uint16_t, kApiCount> order = SortedBySymbol();
  auto found = std::ranges::lower_bound(order, symbol, {}, Symbol);
  if (found == order.end() || Symbol(*found) != symbol) return std::nullopt;
  return kApis[*found].id;
}

}  // namespace culprit::fakedriver
