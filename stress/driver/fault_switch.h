// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <optional>

namespace culprit::stress {

// Makes one call fail before it reaches the driver, on a real driver too: the way to walk an error
// path that a healthy device never takes. Used by one thread at a time.
class FaultSwitch {
 public:
  // The `nth` call from now on, counted from 1, answers `result`.
  void Arm(int nth, CUresult result) {
    left_ = nth;
    result_ = result;
    fired_ = false;
  }
  void Disarm() { left_ = 0; }
  // Whether the armed call came.
  bool fired() const { return fired_; }

  std::optional<CUresult> Draw() {
    if (left_ == 0 || --left_ != 0) return std::nullopt;
    fired_ = true;
    return result_;
  }

 private:
  int left_ = 0;
  CUresult result_ = CUDA_SUCCESS;
  bool fired_ = false;
};

}  // namespace culprit::stress
