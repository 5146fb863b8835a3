// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/not_modelled.h"

#include "fakedriver/audit/finding.h"

namespace culprit::fakedriver::handlers {

CUresult NotModelled(ApiId id) noexcept {
  audit::Raise(audit::Rule::kApiNotModelled, {.object = Info(id).symbol});
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace culprit::fakedriver::handlers
