// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <atomic>
#include <optional>

namespace culprit::stress {

// Makes one call fail before it reaches the driver, on a real driver too: the way to walk an error
// path that a healthy device never takes. Armed while no other thread calls the driver.
class FaultSwitch {
 public:
  // The `nth` call from now on, counted from 1, answers `result`.
  void Arm(int nth, CUresult result) {
    result_ = result;
    fired_ = false;
    left_ = nth;
  }
  void Disarm() { left_ = 0; }
  // Whether the armed call came.
  bool fired() const { return fired_; }

  std::optional<CUresult> Draw() {
    if (left_.load(std::memory_order_relaxed) <= 0) return std::nullopt;
    if (left_.fetch_sub(1, std::memory_order_relaxed) != 1) return std::nullopt;
    fired_ = true;
    return result_;
  }

 private:
  std::atomic<int> left_ = 0;
  std::atomic<bool> fired_ = false;
  CUresult result_ = CUDA_SUCCESS;
};

}  // namespace culprit::stress
