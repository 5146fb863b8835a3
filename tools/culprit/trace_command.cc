// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/trace_command.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "fakedriver/trace/chrome_trace.h"
#include "tools/culprit/exit_code.h"

namespace culprit::tools {

int RunTrace(const TraceOptions& options) {
  std::ifstream trace(options.trace, std::ios::binary);
  if (!trace) {
    fmt::print(stderr, "culprit: {}: cannot be read\n", options.trace);
    return kUsage;
  }
  std::ofstream file;
  if (!options.output.empty()) {
    file.open(options.output, std::ios::binary | std::ios::trunc);
    if (!file) {
      fmt::print(stderr, "culprit: {}: cannot be written\n", options.output);
      return kUsage;
    }
  }
  std::ostream& out = options.output.empty() ? std::cout : file;
  const auto converted = fakedriver::trace::WriteChromeTrace(trace, options.trace, out);
  if (!converted.error.empty()) {
    fmt::print(stderr, "culprit: {}\n", converted.error);
    return kUsage;
  }
  if (!out.flush()) {
    fmt::print(stderr, "culprit: the converted trace could not be written\n");
    return kCannotRun;
  }
  if (!options.output.empty()) {
    fmt::print(stderr, "{}: {} calls{}; open it in ui.perfetto.dev\n", options.output,
               converted.calls,
               converted.cut_short ? ", up to where the program crashed or was killed" : "");
  }
  return kFine;
}

}  // namespace culprit::tools
