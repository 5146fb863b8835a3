// SPDX-License-Identifier: Apache-2.0
// Places, memory, arrays, textures and copies.
#include "fakedriver/call_fuzz/structures.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

CUarray_format Format(Values& values) {
  static constexpr CUarray_format kFormats[] = {CU_AD_FORMAT_UNSIGNED_INT8,
                                                CU_AD_FORMAT_UNSIGNED_INT32,
                                                CU_AD_FORMAT_FLOAT,
                                                CU_AD_FORMAT_HALF,
                                                CU_AD_FORMAT_SIGNED_INT16,
                                                CU_AD_FORMAT_NV12,
                                                static_cast<CUarray_format>(0)};
  return values.choices().Pick(kFormats);
}

// A side of a copy, by the names all copy structures have for it.
#define CULPRIT_FUZZ_SIDE(side)                                                 \
  copy->side##XInBytes = values.ShortSide();                                    \
  copy->side##Y = values.ShortSide();                                           \
  copy->side##MemoryType = Enumerator<CUmemorytype>(values, 6);                 \
  copy->side##Host = values.HostBytes();                                        \
  copy->side##Device = static_cast<decltype(copy->side##Device)>(               \
      copy->side##MemoryType == CU_MEMORYTYPE_UNIFIED ? values.UnifiedAddress() \
                                                      : values.Address());      \
  copy->side##Array = HandleOf<CUarray>(values);                                \
  copy->side##Pitch = values.choices().Below(2) == 0 ? 0 : 4 * values.ShortSide()
#define CULPRIT_FUZZ_DEPTH(side)        \
  copy->side##Z = values.Small() % 4;   \
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
