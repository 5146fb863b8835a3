// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/trace_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "fakedriver/trace/chrome_trace.h"
#include "input/input_error.h"
#include "input/text_file.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/report_files.h"

namespace culprit::tools {

namespace fs = std::filesystem;

int RunTrace(const TraceOptions& options) {
  if (!options.output.empty()) DemandWritable(options.output);
  std::ifstream trace(options.trace, std::ios::binary);
  if (!trace || fs::is_directory(options.trace)) {
    throw InputError(options.trace + ": cannot be read");
  }
  // Nothing is written of a trace that turns out to be none.
  std::ostringstream text;
  const auto converted = fakedriver::trace::WriteChromeTrace(trace, options.trace, text);
  if (!converted.error.empty()) throw InputError(converted.error);
  if (options.output.empty()) {
    std::cout << text.view();
    if (!std::cout.flush()) throw std::runtime_error("standard output cannot be written");
    return kFine;
  }
  WriteTextFile(options.output, text.str());
  fmt::print(stderr, "{}: {} calls{}; open it in ui.perfetto.dev\n", options.output,
             converted.calls,
             converted.cut_short ? ", up to where the program crashed or was killed" : "");
  return kFine;
}

}  // namespace culprit::tools
