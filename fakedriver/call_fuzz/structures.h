// SPDX-License-Identifier: Apache-2.0
//
// The structures that driver calls read, filled from the choices of an input. Those without a Fill
// here hold no pointers and are handed over zeroed.
#ifndef FAKEDRIVER_CALL_FUZZ_STRUCTURES_H_
#define FAKEDRIVER_CALL_FUZZ_STRUCTURES_H_

#include "fakedriver/call_fuzz/values.h"

namespace culprit::fakedriver::call_fuzz {

template <typename T>
T HandleOf(Values& values) {
  return reinterpret_cast<T>(values.Handle(typeid(T)));
}

template <typename T>
T Enumerator(Values& values, unsigned limit) {
  return static_cast<T>(values.choices().Below(limit));
}

template <typename T>
void Fill(Values&, T*) {}

void Fill(Values& values, CUmemLocation* location);
void Fill(Values& values, CUmemAccessDesc* access);
void Fill(Values& values, CUmemAllocationProp* properties);
void Fill(Values& values, CUmemPoolProps* properties);
void Fill(Values& values, CUmemcpyAttributes* attributes);
void Fill(Values& values, CUctxCreateParams* params);
void Fill(Values& values, CUgraphEdgeData* edge);
void Fill(Values& values, CUlaunchAttributeValue* value);
void Fill(Values& values, CUlaunchConfig* config);
void Fill(Values& values, CUstreamBatchMemOpParams* operation);
void Fill(Values& values, CUDA_BATCH_MEM_OP_NODE_PARAMS* params);
void Fill(Values& values, CUDA_HOST_NODE_PARAMS* params);
void Fill(Values& values, CUDA_KERNEL_NODE_PARAMS_v1* params);
void Fill(Values& values, CUDA_KERNEL_NODE_PARAMS* params);
void Fill(Values& values, CUDA_MEMSET_NODE_PARAMS* params);
void Fill(Values& values, CUDA_MEM_ALLOC_NODE_PARAMS* params);
void Fill(Values& values, CUgraphNodeParams* params);
void Fill(Values& values, CUDA_GRAPH_INSTANTIATE_PARAMS* params);
void Fill(Values& values, CUDA_ARRAY_DESCRIPTOR* shape);
void Fill(Values& values, CUDA_ARRAY_DESCRIPTOR_v1* shape);
void Fill(Values& values, CUDA_ARRAY3D_DESCRIPTOR* shape);
void Fill(Values& values, CUDA_ARRAY3D_DESCRIPTOR_v1* shape);
void Fill(Values& values, CUDA_RESOURCE_DESC* resource);
void Fill(Values& values, CUDA_TEXTURE_DESC* sampling);
void Fill(Values& values, CUDA_RESOURCE_VIEW_DESC* view);
void Fill(Values& values, CUDA_MEMCPY2D* copy);
void Fill(Values& values, CUDA_MEMCPY2D_v1* copy);
void Fill(Values& values, CUDA_MEMCPY3D* copy);
void Fill(Values& values, CUDA_MEMCPY3D_v1* copy);
void Fill(Values& values, CUDA_MEMCPY3D_PEER* copy);

// Sixteen pointers to values that a kernel may take, device addresses above all.
void** KernelArguments(Values& values);
// As the last parameter of a launch, or null.
void** LaunchExtra(Values& values);

void HostFunction(void* data);

}  // namespace culprit::fakedriver::call_fuzz

#endif  // FAKEDRIVER_CALL_FUZZ_STRUCTURES_H_
