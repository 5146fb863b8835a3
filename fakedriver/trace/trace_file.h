// SPDX-License-Identifier: Apache-2.0
//
// The trace of a process: one JSON object a line, one line a call, in the order in which calls
// returned.
//
//   {"seq":4,"thread":1,"entry":"cuStreamCreate","nth":1,"args":{"phStream":"0x7ffc10","Flags":0},"out":{"phStream":"0x100020"},
//    "result":"CUDA_SUCCESS","context":"0x100000","depth":1,"start_ns":51200,"ns":310}
//
// `out` is there when the call succeeded, `fault` when one fired on it, `harness` (true) when the
// harness made it; times are since the trace was opened. The first line is a header:
// {"culprit_trace":1,"pid":...}.
#ifndef FAKEDRIVER_TRACE_TRACE_FILE_H_
#define FAKEDRIVER_TRACE_TRACE_FILE_H_

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::trace {

struct TracedCall {
  const CallInProgress* call = nullptr;
  uint32_t thread = 0;
  std::span<const Argument> arguments;
  CUresult result = CUDA_SUCCESS;
  uint64_t context = 0;  // current after the call; 0: none
  uint32_t depth = 0;
  int fault = 0;
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
};

// Writes to the file from now on, "%p" in the path standing for the process id; an empty path ends
// the trace. On failure the reason is returned and the trace is off.
std::string OpenTrace(const std::string& path);

void Write(const TracedCall& call);

// At process exit. A trace that is never closed has all its lines, with zero bytes after them. Says
// why lines are missing, if any are.
std::string CloseTrace();

}  // namespace culprit::fakedriver::trace

#endif  // FAKEDRIVER_TRACE_TRACE_FILE_H_
