// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/live_objects.h"

#include <fmt/format.h>

namespace culprit::suites {
namespace {

struct Counter {
  const char* kind;
  uint64_t (*count)(const culprit_live&);
  bool object;  // something to release, not a measure
};

#define CULPRIT_COUNTER(field, object)                                              \
  Counter {                                                                         \
#field, [](const culprit_live& live) -> uint64_t { return live.field; }, object \
  }
constexpr Counter kCounters[] = {
    CULPRIT_COUNTER(contexts, true),    CULPRIT_COUNTER(primary_retains, true),
    CULPRIT_COUNTER(streams, true),     CULPRIT_COUNTER(events, true),
    CULPRIT_COUNTER(modules, true),     CULPRIT_COUNTER(libraries, true),
    CULPRIT_COUNTER(allocations, true), CULPRIT_COUNTER(host_blocks, true),
    CULPRIT_COUNTER(pools, true),       CULPRIT_COUNTER(graphs, true),
    CULPRIT_COUNTER(graph_execs, true), CULPRIT_COUNTER(user_objects, true),
    CULPRIT_COUNTER(mappings, true),    CULPRIT_COUNTER(others, true),
    CULPRIT_COUNTER(orphaned, false),   CULPRIT_COUNTER(device_bytes, false),
    CULPRIT_COUNTER(host_bytes, false),
};
#undef CULPRIT_COUNTER

}  // namespace

const std::vector<std::string>& LiveKinds() {
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> names;
    for (const Counter& counter : kCounters) names.emplace_back(counter.kind);
    return names;
  }();
  return kinds;
}

std::optional<uint64_t> LiveCount(const culprit_live& live, std::string_view kind) {
  for (const Counter& counter : kCounters) {
    if (kind == counter.kind) return counter.count(live);
  }
  return std::nullopt;
}

std::string LiveText(const culprit_live& live) {
  std::string text;
  for (const Counter& counter : kCounters) {
    const uint64_t count = counter.count(live);
    if (!counter.object || count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counter.kind, count);
  }
  return text.empty() ? "nothing" : text;
}

bool NothingLive(const culprit_live& live) {
  for (const Counter& counter : kCounters) {
    if (counter.object && counter.count(live) != 0) return false;
  }
  return true;
}

}  // namespace culprit::suites
