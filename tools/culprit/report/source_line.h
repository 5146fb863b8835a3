// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_SOURCE_LINE_H_
#define TOOLS_CULPRIT_REPORT_SOURCE_LINE_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "suites/runner/symbolizer.h"

namespace culprit::tools {

struct SourceLine {
  std::string file;
  int line = 0;
};

// "path+0x1234 (symbol)", as the driver names code, resolved to function, file and line where the
// module has them.
std::optional<suites::SourceFrame> FrameAt(const std::string& location);

// The line that a finding is about: that of the call, else of the call that created the object.
std::optional<SourceLine> SourceLineOf(const nlohmann::json& details);

// Replaces every "location" inside a finding by text that a person can read, and keeps file and
// line beside it.
void ResolveLocations(nlohmann::json* details);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_SOURCE_LINE_H_
