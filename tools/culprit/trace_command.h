// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_TRACE_COMMAND_H_
#define TOOLS_CULPRIT_TRACE_COMMAND_H_

#include <string>

namespace culprit::tools {

struct TraceOptions {
  std::string trace;   // as `culprit run --trace` writes it
  std::string output;  // empty: standard output
};

// Converts a trace for ui.perfetto.dev and chrome://tracing.
int RunTrace(const TraceOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_TRACE_COMMAND_H_
