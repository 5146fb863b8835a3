// SPDX-License-Identifier: Apache-2.0
//
// CUDA driver API, cuGraphAddMemAllocNode: an allocation is freed in the graph that makes it or
// elsewhere, once in each graph. Which result stands for which wrong parameter is guessed.
#include "fakedriver/handlers/graph_memory_nodes.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/graph_launch.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

class AllocationWork final : public NodeWork {
 public:
  AllocationWork(Ref<GraphMemory> memory, const CUDA_MEM_ALLOC_NODE_PARAMS_v2& params)
      : memory_(std::move(memory)),
        access_(params.accessDescs, params.accessDescs + params.accessDescCount),
        params_(params) {
    params_.accessDescs = access_.empty() ? nullptr : access_.data();
  }

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }
  CUresult Run() const override { return RunAllocation(*memory_); }
  void Describe(CUgraphNodeParams* params) const override { params->alloc = params_; }
  void AddMemory(MemoryOfWork* memory) const override { memory->allocated.push_back(memory_); }

 private:
  const Ref<GraphMemory> memory_;
  const std::vector<CUmemAccessDesc> access_;
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 params_;
};

class FreeWork final : public NodeWork {
 public:
  FreeWork(Ref<GraphMemory> memory, uint64_t claim) : memory_(std::move(memory)), claim_(claim) {}
  ~FreeWork() override { memory_->DropClaim(claim_); }
  FreeWork(const FreeWork&) = delete;
  FreeWork& operator=(const FreeWork&) = delete;

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
  CUresult Run() const override { return RunFree(*memory_); }
  void Describe(CUgraphNodeParams* params) const override { params->free.dptr = memory_->base(); }
  void AddMemory(MemoryOfWork* memory) const override { memory->freed.push_back(memory_); }

 private:
  const Ref<GraphMemory> memory_;
  const uint64_t claim_;
};

CUresult CheckParams(const CUDA_MEM_ALLOC_NODE_PARAMS_v2& params, Device** device) {
  if (params.bytesize == 0 || params.poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  // CUDA driver API, CUDA_MEM_ALLOC_NODE_PARAMS: IPC is not supported.
  if (params.poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  *device = DeviceAt(params.poolProps.location);
  if (*device == nullptr || params.accessDescCount > Driver::Get().device_count() ||
      (params.accessDescCount > 0 && params.accessDescs == nullptr)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (size_t i = 0; i < params.accessDescCount; ++i) {
    if (DeviceAt(params.accessDescs[i].location) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult MakeAllocation(const Graph& graph, CUDA_MEM_ALLOC_NODE_PARAMS_v2* params, Work* work) {
  // CUDA driver API, CUgraphChildGraphNodeOwnership: none are added to a moved graph, and none are
  // in a copy.
  if (graph.embedded()) return CUDA_ERROR_NOT_SUPPORTED;
  Device* device = nullptr;
  if (CUresult result = CheckParams(*params, &device)) return result;
  Ref<GraphMemory> memory = GraphMemory::Reserve(*device, params->bytesize);
  if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
  memory->set_owner(graph);
  params->dptr = memory->base();
  *work = std::make_shared<AllocationWork>(std::move(memory), *params);
  return CUDA_SUCCESS;
}

CUresult MakeFree(const Graph& graph, CUdeviceptr dptr, Work* work) {
  if (graph.embedded()) return CUDA_ERROR_NOT_SUPPORTED;
  Ref<GraphMemory> memory = GraphMemory::At(dptr);
  if (!memory || memory->base() != dptr) {
    // Without a finding where an injected error hid an earlier free; there is no work to make.
    RefuseFree(dptr, "dptr");
    return CUDA_ERROR_INVALID_VALUE;
  }
  const uint64_t claim = memory->ClaimFree(graph);
  if (claim == 0) {
    audit::Raise(audit::Rule::kMemoryWrongFree,
                 {.message = "The memory has its one node that frees it already, in this graph or "
                             "in the one that allocates it",
                  .argument = "dptr",
                  .object = DescribeMemory(*memory->stand_in()),
                  .handle = dptr});
    return CUDA_ERROR_INVALID_VALUE;
  }
  *work = std::make_shared<FreeWork>(std::move(memory), claim);
  return CUDA_SUCCESS;
}

CUresult CaptureAllocation(Stream& stream, const Pool& pool, size_t bytes, CUdeviceptr* dptr) {
  const std::shared_ptr<Capture> capture = Capture::Of(stream);
  if (capture == nullptr || capture->spoiled()) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 params{};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = pool.device().ordinal()};
  params.bytesize = bytes;
  Work work;
  if (CUresult result = MakeAllocation(capture->graph(), &params, &work)) return result;
  if (CUresult result = capture->Add(stream, std::move(work))) return result;
  *dptr = params.dptr;
  return CUDA_SUCCESS;
}

// CUDA driver API, cuMemFreeAsync: it must be memory of a graph. That the capture goes on after
// other memory was refused is guessed.
CUresult CaptureFree(Stream& stream, CUdeviceptr dptr) {
  const std::shared_ptr<Capture> capture = Capture::Of(stream);
  if (capture == nullptr || capture->spoiled()) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  Work work;
  if (CUresult result = MakeFree(capture->graph(), dptr, &work)) return result;
  return capture->Add(stream, std::move(work));
}

}  // namespace culprit::fakedriver::handlers
