// SPDX-License-Identifier: Apache-2.0
//
// What a call came to. Every fallible function of the reference returns a Status; nothing throws.
//
// The domain keeps three failures apart that one errno would mix: the driver refused, an extractor
// or the framework refused, the host ran out of something. A Status is the *first* error:
// FirstError collects several and keeps the earliest.
#ifndef CULPRIT_REFERENCE_IMPL_DRIVER_STATUS_H_
#define CULPRIT_REFERENCE_IMPL_DRIVER_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <cuda.h>

namespace culprit::reference {

enum class Domain : uint8_t { kNone, kDriver, kExtractor, kHost };

struct Error {
  int code = 0;  // a negative errno
  Domain domain = Domain::kNone;
  CUresult cu_result = CUDA_SUCCESS;
  std::string entry;  // the driver entry that failed, as exported
  std::string message;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  // Zero or a negative errno.
  int code() const { return error_ ? error_->code : 0; }
  // Only of a failure.
  const Error& error() const { return *error_; }

  // The same failure, told by somebody who knows more: "motion: init: cuMemAlloc_v2 failed".
  Status Explain(const std::string& prefix) &&;

 private:
  std::optional<Error> error_;
};

Status DriverFailure(CUresult result, const char* entry);
Status ExtractorFailure(int code, std::string message);
Status HostFailure(int code, std::string message);

// The negative errno that stands for a CUresult. The one table in which driver codes become errnos.
int ErrnoOf(CUresult result);

// Keeps the first failure of several steps that are all attempted.
class FirstError {
 public:
  // True if this step succeeded.
  bool Note(Status status);
  bool ok() const { return first_.ok(); }
  Status Take() { return std::exchange(first_, Status()); }

 private:
  Status first_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_DRIVER_STATUS_H_
