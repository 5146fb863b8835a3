// SPDX-License-Identifier: Apache-2.0
//
// What nodes of graphs do, made from parameters of the API or from what a capturing stream was
// given.
#ifndef FAKEDRIVER_HANDLERS_GRAPH_WORK_H_
#define FAKEDRIVER_HANDLERS_GRAPH_WORK_H_

#include <vector>

#include "fakedriver/core/capture.h"
#include "fakedriver/core/graph.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/kernel_launch.h"
#include "fakedriver/handlers/stream_values.h"

namespace culprit::fakedriver::handlers {

// From the parameters of any node type. A null context in them means the current one.
CUresult MakeWork(const CUgraphNodeParams& params, Work* work);

Work EmptyNode();
Work HostNode(CUhostFn function, void* data);
Work KernelNode(KernelLaunch launch, Context& context);
Work TransferNode(Transfer transfer);
Work EventRecordNode(const Ref<Event>& event);
Work EventWaitNode(const Ref<Event>& event);
// Keeps a copy of the graph, or with `move` the graph itself.
Work ChildNode(Graph& graph, bool move = false);
Work ValuesNode(std::vector<ValueOperation> operations,
                std::vector<CUstreamBatchMemOpParams> params);

// Adds the work to the capture that the stream takes part in.
CUresult AddToCapture(Stream& stream, Work work);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_GRAPH_WORK_H_
