// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/call_fuzz/structures.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

// Blocks of Values that no argument uses itself.
enum Slot : size_t { kArguments = 12, kArgumentValues, kExtra, kBatch };
constexpr size_t kArgumentCount = 16;

template <typename T>
T Enumerator(Values& values, unsigned limit) {
  return static_cast<T>(values.choices().Below(limit));
}

CUarray_format Format(Values& values) {
  static constexpr CUarray_format kFormats[] = {
      CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_FLOAT,
      CU_AD_FORMAT_HALF,          CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_NV12,
      static_cast<CUarray_format>(0)};
  return values.choices().Pick(kFormats);
}

// A side of a copy, by the names all copy structures have for it.
#define CULPRIT_FUZZ_SIDE(side)                                               \
  copy->side##XInBytes = values.ShortSide();                                  \
  copy->side##Y = values.ShortSide();                                         \
  copy->side##MemoryType = Enumerator<CUmemorytype>(values, 6);               \
  copy->side##Host = values.HostBytes();                                      \
  copy->side##Device = static_cast<decltype(copy->side##Device)>(             \
      copy->side##MemoryType == CU_MEMORYTYPE_UNIFIED ? values.UnifiedAddress() : values.Address()); \
  copy->side##Array = HandleOf<CUarray>(values);                              \
  copy->side##Pitch = values.choices().Below(2) == 0 ? 0 : 4 * values.ShortSide()
#define CULPRIT_FUZZ_DEPTH(side)     \
  copy->side##Z = values.Small() % 4; \
  copy->side##LOD = values.Small() % 2; \
  copy->side##Height = values.ShortSide()

template <typename Copy>
void FillPlane(Values& values, Copy* copy) {
  CULPRIT_FUZZ_SIDE(src);
  CULPRIT_FUZZ_SIDE(dst);
  copy->WidthInBytes = values.ShortSide();
  copy->Height = values.ShortSide();
}

template <typename Copy>
void FillVolume(Values& values, Copy* copy) {
  FillPlane(values, copy);
  CULPRIT_FUZZ_DEPTH(src);
  CULPRIT_FUZZ_DEPTH(dst);
  copy->Depth = values.Small() % 8;
}
#undef CULPRIT_FUZZ_SIDE
#undef CULPRIT_FUZZ_DEPTH

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

template <typename Shape>
void FillArray(Values& values, Shape* shape) {
  shape->Width = values.ShortSide();
  shape->Height = values.ShortSide();
  shape->Format = Format(values);
  shape->NumChannels = static_cast<unsigned>(values.choices().Below(5));
}

template <typename Shape>
void FillArray3D(Values& values, Shape* shape) {
  FillArray(values, shape);
  shape->Depth = values.Small() % 8;
  shape->Flags = static_cast<unsigned>(values.choices().Below(256));
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

void Fill(Values& values, CUmemLocation* location) {
  location->type = Enumerator<CUmemLocationType>(values, 5);
  location->id = values.choices().OneIn(8) ? 99 : 0;
}
void Fill(Values& values, CUmemAccessDesc* access) {
  Fill(values, &access->location);
  access->flags = static_cast<CUmemAccess_flags>(values.choices().Below(5));
}
void Fill(Values& values, CUmemAllocationProp* properties) {
  properties->type = Enumerator<CUmemAllocationType>(values, 3);
  properties->requestedHandleTypes = Enumerator<CUmemAllocationHandleType>(values, 3);
  Fill(values, &properties->location);
}
void Fill(Values& values, CUmemPoolProps* properties) {
  properties->allocType = Enumerator<CUmemAllocationType>(values, 3);
  properties->handleTypes = Enumerator<CUmemAllocationHandleType>(values, 3);
  Fill(values, &properties->location);
  properties->maxSize = values.Small();
}
void Fill(Values& values, CUmemcpyAttributes* attributes) {
  attributes->srcAccessOrder = Enumerator<CUmemcpySrcAccessOrder>(values, 5);
  Fill(values, &attributes->srcLocHint);
  Fill(values, &attributes->dstLocHint);
  attributes->flags = static_cast<unsigned>(values.Small() % 2);
}
void Fill(Values&, CUctxCreateParams*) {}  // zeroed: it holds pointers
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
  operation->writeValue.address = values.may_wait_for_values || operation->operation == 2 ||
                                          operation->operation == 5
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
      FillVolume(values, &params->memcpy.copyParams);
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
void Fill(Values& values, CUDA_ARRAY_DESCRIPTOR* shape) { FillArray(values, shape); }
void Fill(Values& values, CUDA_ARRAY_DESCRIPTOR_v1* shape) { FillArray(values, shape); }
void Fill(Values& values, CUDA_ARRAY3D_DESCRIPTOR* shape) { FillArray3D(values, shape); }
void Fill(Values& values, CUDA_ARRAY3D_DESCRIPTOR_v1* shape) { FillArray3D(values, shape); }
void Fill(Values& values, CUDA_RESOURCE_DESC* resource) {
  resource->resType = Enumerator<CUresourcetype>(values, 5);
  switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      resource->res.array.hArray = HandleOf<CUarray>(values);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      resource->res.mipmap.hMipmappedArray = HandleOf<CUmipmappedArray>(values);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      resource->res.linear.devPtr = values.Address();
      resource->res.linear.format = Format(values);
      resource->res.linear.numChannels = static_cast<unsigned>(values.choices().Below(5));
      resource->res.linear.sizeInBytes = values.Small();
      break;
    default:
      resource->res.pitch2D.devPtr = values.Address();
      resource->res.pitch2D.format = Format(values);
      resource->res.pitch2D.numChannels = static_cast<unsigned>(values.choices().Below(5));
      resource->res.pitch2D.width = values.ShortSide();
      resource->res.pitch2D.height = values.ShortSide();
      resource->res.pitch2D.pitchInBytes = 32 * values.Small();
  }
}
void Fill(Values& values, CUDA_TEXTURE_DESC* sampling) {
  for (CUaddress_mode& mode : sampling->addressMode) mode = Enumerator<CUaddress_mode>(values, 5);
  sampling->filterMode = Enumerator<CUfilter_mode>(values, 3);
  sampling->flags = static_cast<unsigned>(values.choices().Below(32));
}
void Fill(Values& values, CUDA_RESOURCE_VIEW_DESC* view) {
  view->format = Enumerator<CUresourceViewFormat>(values, 36);
  view->width = values.ShortSide();
  view->height = values.ShortSide();
  view->lastMipmapLevel = static_cast<unsigned>(values.Small());
}
void Fill(Values& values, CUDA_MEMCPY2D* copy) { FillPlane(values, copy); }
void Fill(Values& values, CUDA_MEMCPY2D_v1* copy) { FillPlane(values, copy); }
void Fill(Values& values, CUDA_MEMCPY3D* copy) { FillVolume(values, copy); }
void Fill(Values& values, CUDA_MEMCPY3D_v1* copy) { FillVolume(values, copy); }
void Fill(Values& values, CUDA_MEMCPY3D_PEER* copy) {
  FillVolume(values, copy);
  copy->srcContext = HandleOf<CUcontext>(values);
  copy->dstContext = HandleOf<CUcontext>(values);
}

}  // namespace culprit::fakedriver::call_fuzz
