// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <string>

namespace culprit::stress {

// What a call, or a series of calls, came to: success, or the entry that failed and its result.
// Three ends are told apart, because a run acts on each: success, failure, and "this driver does
// not offer that", which skips a probe with the reason.
class [[nodiscard]] Outcome {
 public:
  Outcome() = default;
  Outcome(const char* entry, CUresult result) : entry_(entry), result_(result) {}

  // The driver does not export `entry`.
  static Outcome Missing(const char* entry);
  // Something a probe needs is not there: a second device, say.
  static Outcome Unsupported(std::string reason);
  // Not the driver's failure: the reason in words.
  static Outcome Failed(std::string reason);

  bool ok() const { return kind_ == Kind::kCall && result_ == CUDA_SUCCESS; }
  bool unsupported() const;
  CUresult result() const { return result_; }
  const char* entry() const { return entry_; }

  // "cuModuleLoadData returned CUDA_ERROR_OUT_OF_MEMORY (2)".
  std::string Describe() const;

 private:
  enum class Kind { kCall, kMissing, kUnsupported, kFailed };

  const char* entry_ = "";
  CUresult result_ = CUDA_SUCCESS;
  Kind kind_ = Kind::kCall;
  std::string reason_;
};

}  // namespace culprit::stress
