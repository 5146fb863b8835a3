// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/results.h"
#include "fakedriver/handlers/handlers.h"

namespace culprit::fakedriver::handlers {
namespace {

// CUDA driver API: a value that is no result gives a null text and CUDA_ERROR_INVALID_VALUE.
CUresult Answer(const char* text, const char** out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = text;
  return text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

CUresult cuGetErrorString(CUresult error, const char** pStr) {
  return Answer(ResultDescription(error), pStr);
}

CUresult cuGetErrorName(CUresult error, const char** pStr) {
  return Answer(ResultName(error), pStr);
}

}  // namespace culprit::fakedriver::handlers
