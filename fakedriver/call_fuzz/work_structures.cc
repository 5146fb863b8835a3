// SPDX-License-Identifier: Apache-2.0
// Launches, graph nodes and operations on values.
#include "fakedriver/call_fuzz/structures.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

// Blocks of Values that no argument uses itself.
enum Slot : size_t { kArguments = 12, kArgumentValues, kExtra, kBatch };
constexpr size_t kArgumentCount = 16;

template <typename Kernel>
void FillKernel(Values& values, Kernel* params) {
  params->func = HandleOf<CUfunction>(values);
  params->gridDimX = 1 + values.choices().Below(4);
  params->gridDimY = params->gridDimZ = 1;
  params->blockDimX = static_cast<unsigned>(values.Small());
  params->blockDimY = params->blockDimZ = 1;
  params->sharedMemBytes = static_cast<unsigned>(values.Small());
  params->kernelParams = values.choices().OneIn(8) ? nullptr : KernelArguments(values);
  params->extra = params->kernelParams == nullptr ? LaunchExtra(values) : nullptr;
}

template <typename Memset>
void FillMemset(Values& values, Memset* params) {
  static constexpr unsigned kElements[] = {1, 2, 4, 1, 4, 3, 0};
  params->dst = values.Address();
  params->pitch = values.ShortSide();
  params->value = values.choices().Byte();
  params->elementSize = values.choices().Pick(kElements);
  params->width = values.ShortSide();
  params->height = values.Small();
}

template <typename Batch>
void FillBatch(Values& values, Batch* params) {
  params->ctx = HandleOf<CUcontext>(values);
  params->count = static_cast<unsigned>(values.Small() % 4);
  params->paramArray = reinterpret_cast<CUstreamBatchMemOpParams*>(values.Block(kBatch));
  for (unsigned i = 0; i < params->count; ++i) Fill(values, &params->paramArray[i]);
  params->flags = static_cast<unsigned>(values.Small() % 2);
}

template <typename Allocation>
void FillAllocation(Values& values, Allocation* params) {
  Fill(values, &params->poolProps);
  params->bytesize = values.Small();
}

}  // namespace

void HostFunction(void*) {}

void** KernelArguments(Values& values) {
  auto** arguments = reinterpret_cast<void**>(values.Block(kArguments));
  auto* words = reinterpret_cast<uint64_t*>(values.Block(kArgumentValues));
  for (size_t i = 0; i < kArgumentCount; ++i) {
    words[i] = i == 0 ? values.Address() : values.Small();
    arguments[i] = &words[i];
  }
  return arguments;
}

void** LaunchExtra(Values& values) {
  if (values.choices().Below(2) == 0) return nullptr;
  auto** extra = reinterpret_cast<void**>(values.Block(kExtra));
  auto* words = reinterpret_cast<uint64_t*>(values.Block(kArgumentValues));
  words[0] = values.Address();
  words[kArgumentCount] = values.Small();
  extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
  extra[1] = words;
  extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
  extra[3] = &words[kArgumentCount];
  extra[4] = CU_LAUNCH_PARAM_END;
  return extra;
}

void Fill(Values& values, CUgraphEdgeData* edge) {
  edge->from_port = values.choices().OneIn(8) ? 1 : 0;
  edge->type = values.choices().OneIn(8) ? 1 : 0;
}
void Fill(Values& values, CUlaunchAttributeValue* value) {
  for (char& byte : value->pad) byte = static_cast<char>(values.choices().OneIn(6) ? 1 : 0);
}
void Fill(Values& values, CUlaunchConfig* config) {
  config->gridDimX = 1 + values.choices().Below(4);
  config->gridDimY = config->gridDimZ = 1;
  config->blockDimX = static_cast<unsigned>(values.Small());
  config->blockDimY = config->blockDimZ = 1;
  config->hStream = HandleOf<CUstream>(values);
  config->numAttrs = static_cast<unsigned>(values.Small() % 3);
  auto* attributes = reinterpret_cast<CUlaunchAttribute*>(values.Block(kBatch));
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    attributes[i].id = Enumerator<CUlaunchAttributeID>(values, 20);
    // Values of programmatic events and the like are handles; zero bytes are none.
  }
  config->attrs = config->numAttrs == 0 ? nullptr : attributes;
}
void Fill(Values& values, CUstreamBatchMemOpParams* operation) {
  operation->operation = Enumerator<CUstreamBatchMemOpType>(values, 8);
  operation->writeValue.address =
      values.may_wait_for_values || operation->operation == 2 || operation->operation == 5
          ? values.Address()
          : values.NoAddress();
  operation->writeValue.value64 = values.Small();
  operation->writeValue.flags = static_cast<unsigned>(values.Small() % 4);
}
void Fill(Values& values, CUDA_BATCH_MEM_OP_NODE_PARAMS* params) { FillBatch(values, params); }
void Fill(Values& values, CUDA_HOST_NODE_PARAMS* params) {
  params->fn = values.choices().OneIn(8) ? nullptr : &HostFunction;
}
void Fill(Values& values, CUDA_KERNEL_NODE_PARAMS_v1* params) { FillKernel(values, params); }
void Fill(Values& values, CUDA_KERNEL_NODE_PARAMS* params) {
  FillKernel(values, params);
  params->kern = values.choices().OneIn(4) ? HandleOf<CUkernel>(values) : nullptr;
  params->ctx = values.choices().OneIn(4) ? HandleOf<CUcontext>(values) : nullptr;
}
void Fill(Values& values, CUDA_MEMSET_NODE_PARAMS* params) { FillMemset(values, params); }
void Fill(Values& values, CUDA_MEM_ALLOC_NODE_PARAMS* params) { FillAllocation(values, params); }
void Fill(Values& values, CUgraphNodeParams* params) {
  params->type = Enumerator<CUgraphNodeType>(values, 15);
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      FillKernel(values, &params->kernel);
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      params->memcpy.copyCtx = HandleOf<CUcontext>(values);
      Fill(values, &params->memcpy.copyParams);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      FillMemset(values, &params->memset);
      params->memset.ctx = HandleOf<CUcontext>(values);
      break;
    case CU_GRAPH_NODE_TYPE_HOST:
      params->host.fn = values.choices().OneIn(8) ? nullptr : &HostFunction;
      break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      params->graph.graph = HandleOf<CUgraph>(values);
      break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      params->eventWait.event = HandleOf<CUevent>(values);
      break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      params->eventRecord.event = HandleOf<CUevent>(values);
      break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      FillBatch(values, &params->memOp);
      break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      FillAllocation(values, &params->alloc);
      break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      params->free.dptr = values.Address();
      break;
    default:
      break;
  }
}
void Fill(Values& values, CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  params->flags = values.Small();
  params->hUploadStream = HandleOf<CUstream>(values);
}

}  // namespace culprit::fakedriver::call_fuzz
