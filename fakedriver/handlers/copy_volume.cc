// SPDX-License-Identifier: Apache-2.0
//
// Copies of rows and volumes, between any of host, device and array memory.
#include "fakedriver/handlers/copy_volume.h"

#include <cstdint>

#include "fakedriver/core/array.h"
#include "fakedriver/core/device.h"
#include "fakedriver/handlers/copy_operand.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x;  // bytes
  size_t y;
  size_t z;
  size_t pitch;      // 0: rows touch
  size_t height;     // rows of a slice; 0: as many as are copied
  const char* name;  // of the parameter's side: "src", "dst"
};

CUresult ArrayOperand(const Side& side, const Extent& extent, CopyOperand* operand) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(side.array, side.name, &array); result != CUDA_SUCCESS) {
    return result;
  }
  const ArrayShape& shape = array->shape();
  const auto fits = [](size_t offset, uint64_t size, uint64_t limit) {
    return size <= limit && offset <= limit - size;
  };
  if (!fits(side.x, extent.width, shape.row_bytes()) ||
      !fits(side.y, extent.height, shape.rows()) || !fits(side.z, extent.depth, shape.slices())) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  operand->allocation = array->texels();
  operand->address = array->handle();
  operand->block = {array->texels()->backing(), array->row_pitch(), array->slice_pitch()};
  operand->block.first = operand->block.Row(side.y, side.z) + side.x;
  return CUDA_SUCCESS;
}

CUresult Operand(const Side& side, const Extent& extent, const Device& device,
                 CopyOperand* operand) {
  if (side.type == CU_MEMORYTYPE_ARRAY) return ArrayOperand(side, extent, operand);
  int most_pitch = 0;
  device.Attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH, &most_pitch);
  const size_t pitch = side.pitch == 0 ? side.x + extent.width : side.pitch;
  const size_t height = side.height == 0 ? side.y + extent.height : side.height;
  if (pitch < side.x + extent.width || pitch > static_cast<size_t>(most_pitch) ||
      (extent.depth > 1 && height < side.y + extent.height)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Block layout{nullptr, pitch, pitch * height};
  const uint64_t offset = side.z * layout.slice_pitch + side.y * layout.row_pitch + side.x;
  switch (side.type) {
    case CU_MEMORYTYPE_HOST:
      if (side.host == nullptr) return CUDA_ERROR_INVALID_VALUE;
      return HostOperand(static_cast<const std::byte*>(side.host) + offset, extent, layout,
                         side.name, operand);
    case CU_MEMORYTYPE_DEVICE:
      if (side.device == 0) return CUDA_ERROR_INVALID_VALUE;
      return DeviceOperand(side.device + offset, extent, layout, side.name, operand);
    case CU_MEMORYTYPE_UNIFIED:
      if (side.device == 0) return CUDA_ERROR_INVALID_VALUE;
      return UnifiedOperand(side.device + offset, extent, layout, side.name, operand);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult Translate(const Side& to, const Side& from, const Extent& extent, const Device& device,
                   Transfer* transfer) {
  transfer->extent = extent;
  if (CUresult result = Operand(to, extent, device, &transfer->to); result != CUDA_SUCCESS) {
    return result;
  }
  return Operand(from, extent, device, &transfer->from);
}

CUresult Copy(const Side& to, const Side& from, const Extent& extent, Stream& stream,
              HostWait wait) {
  if (extent.empty()) return CUDA_SUCCESS;
  Transfer transfer{.to = {}, .from = {}, .extent = extent};
  if (CUresult result = Translate(to, from, extent, stream.context()->device(), &transfer);
      result != CUDA_SUCCESS) {
    return result;
  }
  return Submit(std::move(transfer), stream, wait);
}

CUresult CopyNow(const Side& to, const Side& from, const Extent& extent) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(nullptr, "", &stream); result != CUDA_SUCCESS) return result;
  return Copy(to, from, extent, *stream, HostWait::kForCompletion);
}

CUresult CopyOn(CUstream handle, const Side& to, const Side& from, const Extent& extent) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  return Copy(to, from, extent, *stream, HostWait::kAsMeasured);
}

struct Sides {
  Side to;
  Side from;
  Extent extent;
};

Sides Read(const CUDA_MEMCPY2D& copy) {
  return {{copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray, copy.dstXInBytes,
           copy.dstY, 0, copy.dstPitch, 0, "dst"},
          {copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcArray, copy.srcXInBytes,
           copy.srcY, 0, copy.srcPitch, 0, "src"},
          {copy.WidthInBytes, copy.Height, 1}};
}

// The plain and the peer form have these fields in common.
template <typename Copy3D>
Sides Read(const Copy3D& copy) {
  return {{copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray, copy.dstXInBytes,
           copy.dstY, copy.dstZ, copy.dstPitch, copy.dstHeight, "dst"},
          {copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcArray, copy.srcXInBytes,
           copy.srcY, copy.srcZ, copy.srcPitch, copy.srcHeight, "src"},
          {copy.WidthInBytes, copy.Height, copy.Depth}};
}

template <typename Description>
CUresult CopyNow(const Description* copy) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Sides sides = Read(*copy);
  return CopyNow(sides.to, sides.from, sides.extent);
}

template <typename Description>
CUresult CopyOn(CUstream stream, const Description* copy) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Sides sides = Read(*copy);
  return CopyOn(stream, sides.to, sides.from, sides.extent);
}

}  // namespace

CUresult TranslateCopy(const CUDA_MEMCPY3D& copy, const Device& device, Transfer* transfer) {
  const Sides sides = Read(copy);
  return Translate(sides.to, sides.from, sides.extent, device, transfer);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) { return CopyNow(pCopy); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) { return CopyNow(pCopy); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return CopyOn(hStream, pCopy);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) { return CopyNow(pCopy); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return CopyOn(hStream, pCopy);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy) { return CopyNow(pCopy); }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return CopyOn(hStream, pCopy);
}

}  // namespace culprit::fakedriver::handlers
