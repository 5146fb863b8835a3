// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_HANDLERS_NOT_MODELLED_H_
#define FAKEDRIVER_HANDLERS_NOT_MODELLED_H_

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/api.h"

namespace culprit::fakedriver::handlers {

// What an entry that is exported but not modelled does: says so once for each name, and answers
// CUDA_ERROR_NOT_SUPPORTED.
CUresult NotModelled(ApiId id) noexcept;

// The same for a type of node that an entry for many types was asked for.
CUresult NodeTypeNotModelled(CUgraphNodeType type);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_NOT_MODELLED_H_
