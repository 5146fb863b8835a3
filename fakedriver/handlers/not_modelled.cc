// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/not_modelled.h"

#include "fakedriver/audit/finding.h"

namespace culprit::fakedriver::handlers {

CUresult NotModelled(ApiId id) noexcept {
  audit::Raise(audit::Rule::kApiNotModelled, {.object = Info(id).symbol});
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult NodeTypeNotModelled(CUgraphNodeType type) {
  const char* name = type == CU_GRAPH_NODE_TYPE_CONDITIONAL      ? "conditional"
                     : type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT ? "external semaphore wait"
                                                                 : "external semaphore signal";
  audit::Raise(audit::Rule::kApiNotModelled,
               {.message = "Nodes of this type are not modelled", .object = name});
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace culprit::fakedriver::handlers
