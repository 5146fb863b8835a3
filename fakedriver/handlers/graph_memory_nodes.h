// SPDX-License-Identifier: Apache-2.0
//
// Nodes that allocate and free memory.
#ifndef FAKEDRIVER_HANDLERS_GRAPH_MEMORY_NODES_H_
#define FAKEDRIVER_HANDLERS_GRAPH_MEMORY_NODES_H_

#include "fakedriver/core/graph.h"
#include "fakedriver/core/pool.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver::handlers {

// Work for a node that will be in `graph`; the address is in `params` on success.
CUresult MakeAllocation(const Graph& graph, CUDA_MEM_ALLOC_NODE_PARAMS_v2* params, Work* work);
// The same for a node that frees: the memory counts as freed by the graph as long as there is the
// work. CUDA_ERROR_INVALID_VALUE, with a finding, for what cannot be freed there.
CUresult MakeFree(const Graph& graph, CUdeviceptr dptr, Work* work);

// In a stream that captures, in place of cuMemAllocFromPoolAsync and cuMemFreeAsync.
CUresult CaptureAllocation(Stream& stream, const Pool& pool, size_t bytes, CUdeviceptr* dptr);
CUresult CaptureFree(Stream& stream, CUdeviceptr dptr);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_GRAPH_MEMORY_NODES_H_
