// SPDX-License-Identifier: Apache-2.0
//
// A trace in the JSON form that Perfetto (ui.perfetto.dev) and chrome://tracing show: one slice a
// call on a track a thread, named after the entry, its family as the category; an instant event
// where a fault fired.
#ifndef FAKEDRIVER_TRACE_CHROME_TRACE_H_
#define FAKEDRIVER_TRACE_CHROME_TRACE_H_

#include <istream>
#include <ostream>
#include <string>

namespace culprit::fakedriver::trace {

struct Conversion {
  uint64_t calls = 0;
  bool cut_short = false;  // the traced process did not close the trace: it crashed or was killed
  std::string error;       // "name:line: what"; empty if all went well
};

// `name` is where the lines are from. Zero bytes at the end, and a last line that is not whole, are
// what a crash leaves.
Conversion WriteChromeTrace(std::istream& lines, const std::string& name, std::ostream& out);

}  // namespace culprit::fakedriver::trace

#endif  // FAKEDRIVER_TRACE_CHROME_TRACE_H_
