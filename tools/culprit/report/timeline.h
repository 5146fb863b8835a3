// SPDX-License-Identifier: Apache-2.0
//
// A failing life cycle drawn over its driver calls: what the port was asked for, what each thread
// called, its context stack, what was queued on which stream, how long each object lived, and where
// the faults struck. One column is one call, so that short calls are as visible as long ones.
#ifndef TOOLS_CULPRIT_REPORT_TIMELINE_H_
#define TOOLS_CULPRIT_REPORT_TIMELINE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::tools {

// Of an object that a call created: a column is an index into the calls.
struct Lifetime {
  std::string name;  // "stream 0x1000"
  size_t created = 0;
  size_t destroyed = 0;  // one behind the last call: it was left
  bool left = false;
};

// From calls as a trace has them: {"seq","thread","entry","args","out","result","context","depth",
// "fault"}. What creates and what destroys is known by the entry's verb.
std::vector<Lifetime> LifetimesOf(const nlohmann::json& calls);

// Markup for the report, styled by kTimelineStyle. `timeline` holds "calls" and "steps": {"name",
// "from", "to", "failed"} by sequence number. Empty when there is nothing to draw.
std::string TimelineOf(const nlohmann::json& timeline);

extern const char* const kTimelineStyle;

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_TIMELINE_H_
