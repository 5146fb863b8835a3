// SPDX-License-Identifier: Apache-2.0
//
// Launches of executable graphs, and what they do to memory.
//
// To the caller memory that a launch leaves is there from the call on, and memory that a launch
// frees is gone with the call; to streams both happen when the node runs.
#ifndef FAKEDRIVER_HANDLERS_GRAPH_LAUNCH_H_
#define FAKEDRIVER_HANDLERS_GRAPH_LAUNCH_H_

#include "fakedriver/core/graph.h"
#include "fakedriver/core/graph_memory.h"

namespace culprit::fakedriver::handlers {

// Queues one launch. CUDA_ERROR_INVALID_VALUE when memory of an earlier launch is in the way, or
// what a node would free is not there; CUDA_ERROR_OUT_OF_MEMORY.
CUresult Launch(GraphExec& exec, Stream& stream);

// What memory nodes do, called by the launch that this thread runs.
CUresult RunAllocation(const GraphMemory& memory);
CUresult RunFree(const GraphMemory& memory);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_GRAPH_LAUNCH_H_
