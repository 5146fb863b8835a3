// SPDX-License-Identifier: Apache-2.0
//
// Texture and surface objects over arrays, linear memory and pitched rows.
#include "fakedriver/exec/texture.h"
#include "fakedriver/core/array.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/texture_object.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

struct Texels {
  Ref<Allocation> memory;
  exec::Texture texture;
};

exec::TexelType TypeOf(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT32:
      return exec::TexelType::kSigned;
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_FLOAT:
      return exec::TexelType::kFloat;
    default:
      return exec::TexelType::kUnsigned;
  }
}

bool SetFormat(CUarray_format format, unsigned channels, exec::Texture* texture) {
  const uint32_t bytes = ChannelBytes(format);
  if (bytes == 0 || (channels != 1 && channels != 2 && channels != 4)) return false;
  texture->type = TypeOf(format);
  texture->bits = static_cast<uint8_t>(8 * bytes);
  texture->channels = static_cast<uint8_t>(channels);
  return true;
}

uint64_t Limit(const Device& device, CUdevice_attribute attribute) {
  int value = 0;
  device.Attribute(attribute, &value);
  return static_cast<uint64_t>(value);
}

CUresult OfArray(CUarray handle, Texels* texels) {
  Ref<Array> array;
  if (CUresult result = Need<Array>(handle, "pResDesc", &array); result != CUDA_SUCCESS) {
    return result;
  }
  const ArrayShape& shape = array->shape();
  exec::Texture& texture = texels->texture;
  SetFormat(shape.format, shape.channels, &texture);
  texture.texels = array->texels()->backing();
  texture.width = static_cast<uint32_t>(shape.width);
  texture.height = static_cast<uint32_t>(shape.height);
  texture.depth = static_cast<uint32_t>(shape.depth);
  texture.row_pitch = array->row_pitch();
  texture.slice_pitch = array->slice_pitch();
  texture.layered = (shape.flags & CUDA_ARRAY3D_LAYERED) != 0;
  texels->memory = array->texels();
  return CUDA_SUCCESS;
}

CUresult OfMemory(CUdeviceptr pointer, uint64_t bytes, Texels* texels) {
  Ref<Allocation> memory = Memory::Get().addresses().Find(pointer);
  if (!memory || !memory->Contains(pointer, bytes)) {
    RaiseBadRange(pointer, bytes, "pResDesc");
    return CUDA_ERROR_INVALID_VALUE;
  }
  texels->texture.texels = memory->At(pointer);
  texels->memory = std::move(memory);
  return CUDA_SUCCESS;
}

CUresult OfResource(const CUDA_RESOURCE_DESC& resource, const Device& device, Texels* texels) {
  const uint64_t alignment = Limit(device, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  exec::Texture& texture = texels->texture;
  if (resource.flags != 0) return CUDA_ERROR_INVALID_VALUE;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      return OfArray(resource.res.array.hArray, texels);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
      Ref<MipmappedArray> mipmap;
      if (CUresult result =
              Need<MipmappedArray>(resource.res.mipmap.hMipmappedArray, "pResDesc", &mipmap);
          result != CUDA_SUCCESS) {
        return result;
      }
      return OfArray(reinterpret_cast<CUarray>(mipmap->levels()[0]->handle()), texels);
    }
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      if (!SetFormat(linear.format, linear.numChannels, &texture) ||
          linear.devPtr % alignment != 0 || linear.sizeInBytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      const uint64_t texel = uint64_t{texture.bits} / 8 * texture.channels;
      texture.width = static_cast<uint32_t>(linear.sizeInBytes / texel);
      return OfMemory(linear.devPtr, linear.sizeInBytes, texels);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = resource.res.pitch2D;
      if (!SetFormat(rows.format, rows.numChannels, &texture) || rows.devPtr % alignment != 0 ||
          rows.width == 0 || rows.height == 0 ||
          rows.pitchInBytes % Limit(device, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT) != 0 ||
          rows.width > Limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH) ||
          rows.height > Limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT) ||
          rows.pitchInBytes > Limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      const uint64_t row = uint64_t{texture.bits} / 8 * texture.channels * rows.width;
      if (row > rows.pitchInBytes) return CUDA_ERROR_INVALID_VALUE;
      texture.width = static_cast<uint32_t>(rows.width);
      texture.height = static_cast<uint32_t>(rows.height);
      texture.row_pitch = rows.pitchInBytes;
      return OfMemory(rows.devPtr, (rows.height - 1) * rows.pitchInBytes + row, texels);
    }
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult SetSampling(const CUDA_TEXTURE_DESC& description, exec::Texture* texture) {
  constexpr unsigned kKnownFlags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES |
                                   CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION |
                                   CU_TRSF_SEAMLESS_CUBEMAP;
  if ((description.flags & ~kKnownFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < texture->address.size(); ++i) {
    switch (description.addressMode[i]) {
      case CU_TR_ADDRESS_MODE_WRAP:
        texture->address[i] = exec::AddressMode::kWrap;
        break;
      case CU_TR_ADDRESS_MODE_CLAMP:
        texture->address[i] = exec::AddressMode::kClamp;
        break;
      case CU_TR_ADDRESS_MODE_MIRROR:
        texture->address[i] = exec::AddressMode::kMirror;
        break;
      case CU_TR_ADDRESS_MODE_BORDER:
        texture->address[i] = exec::AddressMode::kBorder;
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    texture->border[i] = description.borderColor[i];
  }
  texture->border[3] = description.borderColor[3];
  if (description.filterMode != CU_TR_FILTER_MODE_POINT &&
      description.filterMode != CU_TR_FILTER_MODE_LINEAR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  texture->linear_filter = description.filterMode == CU_TR_FILTER_MODE_LINEAR;
  texture->read_as_integer = (description.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  texture->normalized_coordinates = (description.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  texture->srgb = (description.flags & CU_TRSF_SRGB) != 0;
  return CUDA_SUCCESS;
}

CUresult NeedTexture(CUtexObject handle, Ref<TextureObject>* texture) {
  return Need<TextureObject>(reinterpret_cast<const void*>(handle), "texObject", texture);
}

}  // namespace

CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                           const CUDA_TEXTURE_DESC* pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (pTexObject == nullptr || pResDesc == nullptr || pTexDesc == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Texels texels;
  if (CUresult result = OfResource(*pResDesc, context->device(), &texels); result != CUDA_SUCCESS) {
    return result;
  }
  if (CUresult result = SetSampling(*pTexDesc, &texels.texture); result != CUDA_SUCCESS) {
    return result;
  }
  TextureObject::Description description;
  description.resource = *pResDesc;
  description.texture = *pTexDesc;
  description.has_view = pResViewDesc != nullptr;
  if (pResViewDesc != nullptr) description.view = *pResViewDesc;
  auto texture = Make<TextureObject>(*context, description, std::move(texels.memory),
                                     std::make_shared<const exec::Texture>(texels.texture));
  *pTexObject = Register(texture);
  return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texObject) {
  Ref<TextureObject> texture;
  if (CUresult result = NeedForDestroy<TextureObject>(reinterpret_cast<const void*>(texObject),
                                                      "texObject", &texture);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (!texture) return CUDA_SUCCESS;
  if (CUresult result = AllowTeardown(*texture, "texObject"); result != CUDA_SUCCESS) return result;
  return Unregister(texture) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUtexObject texObject) {
  Ref<TextureObject> texture;
  if (CUresult result = NeedTexture(texObject, &texture); result != CUDA_SUCCESS) return result;
  if (pResDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pResDesc = texture->description().resource;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* pTexDesc, CUtexObject texObject) {
  Ref<TextureObject> texture;
  if (CUresult result = NeedTexture(texObject, &texture); result != CUDA_SUCCESS) return result;
  if (pTexDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pTexDesc = texture->description().texture;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* pResViewDesc,
                                        CUtexObject texObject) {
  Ref<TextureObject> texture;
  if (CUresult result = NeedTexture(texObject, &texture); result != CUDA_SUCCESS) return result;
  if (pResViewDesc == nullptr || !texture->description().has_view) return CUDA_ERROR_INVALID_VALUE;
  *pResViewDesc = texture->description().view;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (pSurfObject == nullptr || pResDesc == nullptr ||
      pResDesc->resType != CU_RESOURCE_TYPE_ARRAY) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Texels texels;
  if (CUresult result = OfResource(*pResDesc, context->device(), &texels); result != CUDA_SUCCESS) {
    return result;
  }
  auto surface = Make<SurfaceObject>(*context, *pResDesc, std::move(texels.memory),
                                     std::make_shared<const exec::Texture>(texels.texture));
  *pSurfObject = Register(surface);
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
  Ref<SurfaceObject> surface;
  if (CUresult result = NeedForDestroy<SurfaceObject>(reinterpret_cast<const void*>(surfObject),
                                                      "surfObject", &surface);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (!surface) return CUDA_SUCCESS;
  if (CUresult result = AllowTeardown(*surface, "surfObject"); result != CUDA_SUCCESS) {
    return result;
  }
  return Unregister(surface) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUsurfObject surfObject) {
  Ref<SurfaceObject> surface;
  if (CUresult result =
          Need<SurfaceObject>(reinterpret_cast<const void*>(surfObject), "surfObject", &surface);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (pResDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pResDesc = surface->resource();
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
