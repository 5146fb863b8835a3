// SPDX-License-Identifier: Apache-2.0
//
// The calls of the subject since reset, kept in memory for the harness: which calls there were, in
// which order.
#ifndef FAKEDRIVER_TRACE_CALL_LOG_H_
#define FAKEDRIVER_TRACE_CALL_LOG_H_

#include <cstdint>
#include <vector>

#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver::trace {

struct LoggedCall {
  uint64_t sequence = 0;
  uint32_t thread = 0;
  ApiId api{};
  uint32_t nth = 0;  // call of this entry on its thread
  CUresult result = CUDA_SUCCESS;
  int fault = 0;  // id of the fault that fired on it; 0: none
};

void KeepLog(bool on);
void Log(const LoggedCall& call);
std::vector<LoggedCall> LoggedCalls();
void ClearLog();

// Keeps, beside the log, who made each call that destroys something or that a fault hit: return
// addresses, the subject's innermost frame first.
void KeepStacks(bool on);
// Called in the driver on the thread of the call, with the log on.
void LogStack(const CallInProgress& call, bool faulted);
// Of the call with that number; empty: none is kept.
std::vector<const void*> StackOf(uint64_t sequence);

}  // namespace culprit::fakedriver::trace

#endif  // FAKEDRIVER_TRACE_CALL_LOG_H_
