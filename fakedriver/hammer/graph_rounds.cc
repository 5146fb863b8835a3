// SPDX-License-Identifier: Apache-2.0
// Capture, graphs and user objects.
#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

void Count(void* counter) { ++*static_cast<std::atomic<uint64_t>*>(counter); }

void Capture(Hand& hand) {
  const auto& cu = hand.cu;
  std::atomic<uint64_t> counted{0};
  const OwnWords words(hand, 32, 0);
  // One that does not block: what another thread does in the default stream would wait for a stream
  // that captures, which is refused.
  CUstream stream = nullptr;
  Ok(cu.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  Ok(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  Ok(cu.cuMemsetD32Async(words, 4, 32, stream));
  Ok(cu.cuLaunchHostFunc(stream, Count, &counted));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  Ok(cu.cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph = nullptr;
  Ok(cu.cuStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  Ok(cu.cuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 2u);
  CUgraphExec exec = nullptr;
  Ok(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  Ok(cu.cuGraphDestroy(graph));
  Ok(cu.cuGraphLaunch(exec, stream));
  Ok(cu.cuGraphLaunch(exec, stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(counted, 2u);
  words.Are(4);
  Ok(cu.cuStreamDestroy_v2(stream));
  Ok(cu.cuGraphExecDestroy(exec));
}

void BuiltGraph(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 8, 0);
  CUgraph graph = nullptr;
  Ok(cu.cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS set{};
  set.dst = words;
  set.elementSize = 4;
  set.value = 6;
  set.width = 8;
  set.height = 1;
  CUgraphNode first = nullptr, second = nullptr, third = nullptr;
  Ok(cu.cuGraphAddMemsetNode(&first, graph, nullptr, 0, &set, hand.shared.context));
  CUdeviceptr data = words;
  unsigned count = 8;
  void* parameters[] = {&data, &count};
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = hand.shared.add_one;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 8;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = parameters;
  Ok(cu.cuGraphAddKernelNode_v2(&second, graph, &first, 1, &kernel));
  Ok(cu.cuGraphAddEmptyNode(&third, graph, &second, 1));
  size_t edges = 0;
  Ok(cu.cuGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 2u);
  CUgraph clone = nullptr;
  Ok(cu.cuGraphClone(&clone, graph));
  CUgraphNode cloned = nullptr;
  Ok(cu.cuGraphNodeFindInClone(&cloned, second, clone));
  CUgraphExec exec = nullptr;
  Ok(cu.cuGraphInstantiateWithFlags(&exec, clone, 0));
  OwnStream stream(hand);
  Ok(cu.cuGraphUpload(exec, stream));
  Ok(cu.cuGraphLaunch(exec, stream));
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(7);
  CUgraphExecUpdateResultInfo info{};
  Ok(cu.cuGraphExecUpdate_v2(exec, clone, &info));
  Ok(cu.cuGraphNodeSetEnabled(exec, cloned, 0));
  Ok(cu.cuGraphLaunch(exec, stream));
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(6);
  Ok(cu.cuGraphExecDestroy(exec));
  Ok(cu.cuGraphDestroy(clone));
  Ok(cu.cuGraphDestroy(graph));
}

// A graph may not be changed by two threads, but each may make its own of it.
void SharedGraph(Hand& hand) {
  const auto& cu = hand.cu;
  CUgraphExec exec = nullptr;
  Ok(cu.cuGraphInstantiateWithFlags(&exec, hand.shared.graph, 0));
  OwnStream stream(hand);
  const uint64_t before = hand.shared.host_calls;
  Ok(cu.cuGraphLaunch(exec, stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_GT(hand.shared.host_calls, before);
  Ok(cu.cuGraphExecDestroy(exec));
}

void UserObject(Hand& hand) {
  const auto& cu = hand.cu;
  std::atomic<uint64_t> destroyed{0};
  CUuserObject object = nullptr;
  Ok(cu.cuUserObjectCreate(&object, &destroyed, Count, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CUgraph graph = nullptr;
  Ok(cu.cuGraphCreate(&graph, 0));
  Ok(cu.cuUserObjectRetain(object, 1));
  Ok(cu.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  Ok(cu.cuUserObjectRelease(object, 1));
  EXPECT_EQ(destroyed, 0u);
  Ok(cu.cuGraphDestroy(graph));
  while (destroyed == 0) std::this_thread::yield();  // another thread may call the destructor
}

}  // namespace

std::vector<NamedRound> GraphRounds() {
  return {{"capture", Capture},
          {"built graph", BuiltGraph},
          {"shared graph", SharedGraph},
          {"user object", UserObject}};
}

}  // namespace culprit::fakedriver::hammer
