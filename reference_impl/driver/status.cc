// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/driver/status.h"

#include <cerrno>

namespace culprit::reference {

Status Status::Explain(const std::string& prefix) && {
  if (error_) error_->message = prefix + ": " + error_->message;
  return std::move(*this);
}

Status DriverFailure(CUresult result, const char* entry) {
  Error error{ErrnoOf(result), Domain::kDriver, result, entry, {}};
  error.message = error.entry + " answered " + std::to_string(static_cast<int>(result));
  return Status(std::move(error));
}

Status ExtractorFailure(int code, std::string message) {
  return Status(Error{code, Domain::kExtractor, CUDA_SUCCESS, {}, std::move(message)});
}

Status HostFailure(int code, std::string message) {
  return Status(Error{code, Domain::kHost, CUDA_SUCCESS, {}, std::move(message)});
}

bool FirstError::Note(Status status) {
  const bool succeeded = status.ok();
  if (!succeeded && first_.ok()) first_ = std::move(status);
  return succeeded;
}

int ErrnoOf(CUresult result) {
  switch (result) {
    case CUDA_SUCCESS:
      return 0;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return -ENOMEM;
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_INVALID_PTX:
      return -EINVAL;
    case CUDA_ERROR_NOT_FOUND:
      return -ENOENT;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_DEINITIALIZED:
      return -ENODEV;
    case CUDA_ERROR_NOT_SUPPORTED:
      return -ENOSYS;
    case CUDA_ERROR_NOT_READY:
      return -EAGAIN;
    case CUDA_ERROR_NOT_PERMITTED:
      return -EPERM;
    default:
      return -EIO;
  }
}

}  // namespace culprit::reference
