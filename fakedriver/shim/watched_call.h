// SPDX-License-Identifier: Apache-2.0
//
// What is done around the handler of a call while faults are planned or calls are logged or traced.
#ifndef FAKEDRIVER_SHIM_WATCHED_CALL_H_
#define FAKEDRIVER_SHIM_WATCHED_CALL_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/fault/engine.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::shim {

class WatchedCall {
 public:
  // `call` and `arguments` must outlive this.
  WatchedCall(const CallInProgress& call, std::span<const trace::Argument> arguments);

  // The result of a call that must not reach its handler.
  std::optional<CUresult> Before(CUresult gate);
  // What the call returns, after its handler answered.
  CUresult After(CUresult result);
  // Logs and traces the call.
  void Report(CUresult result) const;

 private:
  void SaveOutputs();
  void RestoreOutputs() const;

  const CallInProgress& call_;
  const std::span<const trace::Argument> arguments_;
  const uint32_t thread_;
  std::chrono::steady_clock::time_point begin_{};
  fault::Decision decision_;
  std::vector<std::byte>
      outputs_;  // what out-parameters held before a call whose success will be hidden
};

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_WATCHED_CALL_H_
