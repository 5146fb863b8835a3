// SPDX-License-Identifier: Apache-2.0
//
// Arrays and mipmapped arrays.
#include "fakedriver/core/array.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/copy_operand.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr unsigned kKnownFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                                 CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER |
                                 CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT;
constexpr size_t kAlignment = 512;

CUresult Check(const ArrayShape& shape) {
  const bool channels_fit = shape.channels == 1 || shape.channels == 2 || shape.channels == 4;
  const bool layered = (shape.flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool cube = (shape.flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  if (!channels_fit || ChannelBytes(shape.format) == 0 || shape.width == 0 ||
      (shape.flags & ~kKnownFlags) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // A volume has rows; layers may be of single rows.
  if (shape.depth > 0 && shape.height == 0 && !layered) return CUDA_ERROR_INVALID_VALUE;
  if (layered && shape.depth == 0) return CUDA_ERROR_INVALID_VALUE;
  if (cube && (shape.width != shape.height || shape.depth % 6 != 0 || shape.depth == 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult Create(Context& context, const ArrayShape& shape, Ref<Array>* array) {
  if (CUresult result = Check(shape); result != CUDA_SUCCESS) return result;
  uint64_t bytes = shape.row_bytes();
  if (bytes / shape.texel_bytes() != shape.width ||
      __builtin_mul_overflow(bytes, shape.rows(), &bytes) ||
      __builtin_mul_overflow(bytes, shape.slices(), &bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Device& device = context.device();
  auto texels = Make<Allocation>(MemoryKind::kArray, &context, device.ordinal(), bytes);
  if (CUresult result = Memory::Get().Place(texels, device); result != CUDA_SUCCESS) return result;
  *array = Make<Array>(context, shape, shape.row_bytes(), std::move(texels));
  return CUDA_SUCCESS;
}

CUresult CreateInCurrent(CUarray* handle, const ArrayShape& shape) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Array> array;
  if (CUresult result = Create(*context, shape, &array); result != CUDA_SUCCESS) return result;
  *handle = reinterpret_cast<CUarray>(Register(array));
  return CUDA_SUCCESS;
}

ArrayShape ShapeOf(const CUDA_ARRAY3D_DESCRIPTOR& description) {
  return {description.Format, description.NumChannels, description.Width,
          description.Height, description.Depth,       description.Flags};
}

CUDA_ARRAY3D_DESCRIPTOR DescriptionOf(const ArrayShape& shape) {
  CUDA_ARRAY3D_DESCRIPTOR description{};
  description.Width = shape.width;
  description.Height = shape.height;
  description.Depth = shape.depth;
  description.Format = shape.format;
  description.NumChannels = shape.channels;
  description.Flags = shape.flags;
  return description;
}

CUresult Requirements(uint64_t bytes, CUdevice device,
                      CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements) {
  if (requirements == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (Driver::Get().device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *requirements = {};
  requirements->size = RoundUp(bytes, kAlignment);
  requirements->alignment = kAlignment;
  return CUDA_SUCCESS;
}

// What is left of one side of a copy between linear memory and an array, from `offset` on.
CUresult LinearPart(CUarray handle, size_t offset, const Extent& extent, const char* argument,
                    CopyOperand* operand) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(handle, argument, &array); result != CUDA_SUCCESS) {
    return result;
  }
  const Allocation& texels = *array->texels();
  if (offset > texels.size() || extent.width > texels.size() - offset) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  operand->allocation = array->texels();
  operand->address = array->handle();
  operand->block = {texels.backing() + offset, 0, 0};
  return CUDA_SUCCESS;
}

struct LinearSide {
  CUarray array = nullptr;
  size_t offset = 0;
  CUdeviceptr device = 0;
  const void* host = nullptr;
  enum class Kind : uint8_t { kArray, kDevice, kHost } kind = Kind::kArray;
  const char* argument = "";

  CUresult Operand(const Extent& extent, CopyOperand* operand) const {
    switch (kind) {
      case Kind::kArray:
        return LinearPart(array, offset, extent, argument, operand);
      case Kind::kDevice:
        return DeviceOperand(device, extent, {}, argument, operand);
      case Kind::kHost:
        return HostOperand(host, extent, {}, argument, operand);
    }
    return CUDA_ERROR_INVALID_VALUE;
  }
};

LinearSide OfArray(CUarray array, size_t offset, const char* argument) {
  LinearSide side;
  side.array = array;
  side.offset = offset;
  side.argument = argument;
  return side;
}
LinearSide OfDevice(CUdeviceptr device, const char* argument) {
  LinearSide side;
  side.device = device;
  side.kind = LinearSide::Kind::kDevice;
  side.argument = argument;
  return side;
}
LinearSide OfHost(const void* host, const char* argument) {
  LinearSide side;
  side.host = host;
  side.kind = LinearSide::Kind::kHost;
  side.argument = argument;
  return side;
}

CUresult Copy(const LinearSide& to, const LinearSide& from, size_t bytes, CUstream handle,
              HostWait wait) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  if (bytes == 0) return CUDA_SUCCESS;
  Transfer transfer{.to = {}, .from = {}, .extent = {bytes, 1, 1}};
  if (CUresult result = to.Operand(transfer.extent, &transfer.to); result != CUDA_SUCCESS) {
    return result;
  }
  if (CUresult result = from.Operand(transfer.extent, &transfer.from); result != CUDA_SUCCESS) {
    return result;
  }
  return Submit(std::move(transfer), *stream, wait);
}

}  // namespace

CUresult cuArrayCreate_v2(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray) {
  if (pAllocateArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return CreateInCurrent(pHandle, {pAllocateArray->Format, pAllocateArray->NumChannels,
                                   pAllocateArray->Width, pAllocateArray->Height, 0, 0});
}

CUresult cuArray3DCreate_v2(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
  if (pAllocateArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return CreateInCurrent(pHandle, ShapeOf(*pAllocateArray));
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(hArray, "hArray", &array); result != CUDA_SUCCESS) {
    return result;
  }
  if (pArrayDescriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ArrayShape& shape = array->shape();
  *pArrayDescriptor = {shape.width, shape.height, shape.format, shape.channels};
  return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(hArray, "hArray", &array); result != CUDA_SUCCESS) {
    return result;
  }
  if (pArrayDescriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pArrayDescriptor = DescriptionOf(array->shape());
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray hArray) {
  Ref<Array> array;
  if (CUresult result = NeedForDestroy<Array>(hArray, "hArray", &array); result != CUDA_SUCCESS) {
    return result;
  }
  if (!array) return CUDA_SUCCESS;
  if (array->of_mipmap()) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult result = AllowTeardown(*array, "hArray"); result != CUDA_SUCCESS) return result;
  if (CUresult result = QuiesceBeforeFree(*array->texels(), "hArray"); result != CUDA_SUCCESS) {
    return result;
  }
  if (!Unregister(array)) return CUDA_ERROR_INVALID_HANDLE;
  array->ReleaseTexels();
  return CUDA_SUCCESS;
}

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements,
                                      CUarray hArray, CUdevice device) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(hArray, "array", &array); result != CUDA_SUCCESS) {
    return result;
  }
  return Requirements(array->texels()->size(), device, memoryRequirements);
}

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray hArray) {
  Ref<Array> array;
  const CUresult result = Need<Array>(hArray, "array", &array);
  return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;  // no array here is sparse
}

CUresult cuArrayGetPlane(CUarray*, CUarray hArray, unsigned int) {
  Ref<Array> array;
  const CUresult result = Need<Array>(hArray, "hArray", &array);
  return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;  // no array here has planes
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* pHandle,
                                const CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                unsigned int numMipmapLevels) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (pHandle == nullptr || pMipmappedArrayDesc == nullptr || numMipmapLevels == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const ArrayShape shape = ShapeOf(*pMipmappedArrayDesc);
  const uint64_t longest = std::max({shape.width, shape.height, shape.depth});
  unsigned levels = 1;
  while (levels < numMipmapLevels && (longest >> levels) != 0) ++levels;
  std::vector<Ref<Array>> arrays;
  CUresult result = CUDA_SUCCESS;
  for (unsigned level = 0; level < levels && result == CUDA_SUCCESS; ++level) {
    Ref<Array> array;
    result = Create(*context, shape.AtLevel(level), &array);
    if (result == CUDA_SUCCESS) arrays.push_back(std::move(array));
  }
  if (result != CUDA_SUCCESS) {
    for (const Ref<Array>& array : arrays) array->ReleaseTexels();
    return result;
  }
  for (const Ref<Array>& array : arrays) {
    array->set_of_mipmap();
    Register(array);
  }
  auto mipmap = Make<MipmappedArray>(*context, shape, std::move(arrays));
  *pHandle = reinterpret_cast<CUmipmappedArray>(Register(mipmap));
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray* pLevelArray, CUmipmappedArray hMipmappedArray,
                                  unsigned int level) {
  Ref<MipmappedArray> mipmap;
  if (CUresult result = Need<MipmappedArray>(hMipmappedArray, "hMipmappedArray", &mipmap);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (pLevelArray == nullptr || level >= mipmap->levels().size()) return CUDA_ERROR_INVALID_VALUE;
  *pLevelArray = reinterpret_cast<CUarray>(mipmap->levels()[level]->handle());
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  Ref<MipmappedArray> mipmap;
  if (CUresult result = NeedForDestroy<MipmappedArray>(hMipmappedArray, "hMipmappedArray", &mipmap);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (!mipmap) return CUDA_SUCCESS;
  if (CUresult result = AllowTeardown(*mipmap, "hMipmappedArray"); result != CUDA_SUCCESS) {
    return result;
  }
  mipmap->context()->Synchronize();
  if (CUresult error = Driver::Get().sticky_error(); error != CUDA_SUCCESS) return error;
  if (!Unregister(mipmap)) return CUDA_ERROR_INVALID_HANDLE;
  for (const Ref<Array>& array : mipmap->levels()) {
    if (Unregister(array)) array->ReleaseTexels();
  }
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements,
                                               CUmipmappedArray mipmap, CUdevice device) {
  Ref<MipmappedArray> array;
  if (CUresult result = Need<MipmappedArray>(mipmap, "mipmap", &array); result != CUDA_SUCCESS) {
    return result;
  }
  uint64_t bytes = 0;
  for (const Ref<Array>& level : array->levels()) bytes += level->texels()->size();
  return Requirements(bytes, device, memoryRequirements);
}

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*,
                                             CUmipmappedArray mipmap) {
  Ref<MipmappedArray> array;
  const CUresult result = Need<MipmappedArray>(mipmap, "mipmap", &array);
  return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                         size_t ByteCount) {
  return Copy(OfArray(dstArray, dstOffset, "dstArray"), OfDevice(srcDevice, "srcDevice"), ByteCount,
              nullptr, HostWait::kForCompletion);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                         size_t ByteCount) {
  return Copy(OfDevice(dstDevice, "dstDevice"), OfArray(srcArray, srcOffset, "srcArray"), ByteCount,
              nullptr, HostWait::kForCompletion);
}

CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void* srcHost,
                         size_t ByteCount) {
  return Copy(OfArray(dstArray, dstOffset, "dstArray"), OfHost(srcHost, "srcHost"), ByteCount,
              nullptr, HostWait::kForCompletion);
}

CUresult cuMemcpyAtoH_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return Copy(OfHost(dstHost, "dstHost"), OfArray(srcArray, srcOffset, "srcArray"), ByteCount,
              nullptr, HostWait::kForCompletion);
}

CUresult cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                         size_t ByteCount) {
  return Copy(OfArray(dstArray, dstOffset, "dstArray"), OfArray(srcArray, srcOffset, "srcArray"),
              ByteCount, nullptr, HostWait::kForCompletion);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void* srcHost,
                              size_t ByteCount, CUstream hStream) {
  return Copy(OfArray(dstArray, dstOffset, "dstArray"), OfHost(srcHost, "srcHost"), ByteCount,
              hStream, HostWait::kAsMeasured);
}

CUresult cuMemcpyAtoHAsync_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                              CUstream hStream) {
  return Copy(OfHost(dstHost, "dstHost"), OfArray(srcArray, srcOffset, "srcArray"), ByteCount,
              hStream, HostWait::kAsMeasured);
}

}  // namespace culprit::fakedriver::handlers
