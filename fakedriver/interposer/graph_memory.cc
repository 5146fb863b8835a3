// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/interposer/graph_memory.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "fakedriver/interposer/vendor_driver.h"

namespace culprit::fakedriver::interposer {
namespace {

template <typename Function, typename... Args>
CUresult Vendor(ApiId id, Args... args) {
  auto* entry = reinterpret_cast<Function>(VendorAddress(id));
  return entry == nullptr ? CUDA_ERROR_NOT_SUPPORTED : entry(args...);
}
#define FD_VENDOR(entry, ...) Vendor<decltype(&::entry)>(ApiId::entry, __VA_ARGS__)

struct Addresses {
  std::set<uint64_t> allocated;
  std::set<uint64_t> freed;
};

std::vector<CUgraphNode> NodesOf(CUgraph graph) {
  size_t count = 0;
  if (FD_VENDOR(cuGraphGetNodes, graph, nullptr, &count) != CUDA_SUCCESS) return {};
  std::vector<CUgraphNode> nodes(count);
  if (count == 0 || FD_VENDOR(cuGraphGetNodes, graph, nodes.data(), &count) != CUDA_SUCCESS)
    return {};
  nodes.resize(std::min(count, nodes.size()));
  return nodes;
}

void Collect(CUgraph graph, Addresses* addresses) {
  for (CUgraphNode node : NodesOf(graph)) {
    CUgraphNodeType type{};
    if (FD_VENDOR(cuGraphNodeGetType, node, &type) != CUDA_SUCCESS) continue;
    if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
      CUDA_MEM_ALLOC_NODE_PARAMS params{};
      if (FD_VENDOR(cuGraphMemAllocNodeGetParams, node, &params) == CUDA_SUCCESS)
        addresses->allocated.insert(params.dptr);
    } else if (type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
      CUdeviceptr address = 0;
      if (FD_VENDOR(cuGraphMemFreeNodeGetParams, node, &address) == CUDA_SUCCESS)
        addresses->freed.insert(address);
    } else if (type == CU_GRAPH_NODE_TYPE_GRAPH) {
      CUgraph child = nullptr;
      if (FD_VENDOR(cuGraphChildGraphNodeGetGraph, node, &child) == CUDA_SUCCESS)
        Collect(child, addresses);
    }
  }
}

}  // namespace

LaunchedMemory MemoryOf(CUgraph graph) {
  Addresses addresses;
  Collect(graph, &addresses);
  LaunchedMemory memory;
  std::ranges::set_difference(addresses.allocated, addresses.freed,
                              std::back_inserter(memory.left));
  std::ranges::set_difference(addresses.freed, addresses.allocated,
                              std::back_inserter(memory.freed));
  return memory;
}

bool IsCapturing(ApiId entry, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult result = Info(entry).variant == Variant::kPtsz
                              ? FD_VENDOR(cuStreamIsCapturing_ptsz, stream, &status)
                              : FD_VENDOR(cuStreamIsCapturing, stream, &status);
  return result == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

#undef FD_VENDOR

}  // namespace culprit::fakedriver::interposer
