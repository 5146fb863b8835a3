// SPDX-License-Identifier: Apache-2.0
//
// Every modelled entry as a call with drawn arguments.
#ifndef FAKEDRIVER_CALL_FUZZ_CALL_TABLE_H_
#define FAKEDRIVER_CALL_FUZZ_CALL_TABLE_H_

#include <span>

#include "fakedriver/call_fuzz/values.h"

namespace culprit::fakedriver::call_fuzz {

struct DrawnCall {
  const char* symbol;
  // Draws, calls, and remembers what the call gave out.
  CUresult (*run)(void* entry, Values& values);
};

std::span<const DrawnCall> AllCalls();

}  // namespace culprit::fakedriver::call_fuzz

#endif  // FAKEDRIVER_CALL_FUZZ_CALL_TABLE_H_
