// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>

#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/handlers.h"

namespace culprit::fakedriver::handlers {
namespace {

// Out-parameters are checked before the device (measured for most of these).
CUresult NeedDevice(const void* out, CUdevice ordinal, Device** device) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = Driver::Get().device(ordinal);
  return *device == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult CopyText(const std::string& text, char* out, int bytes, bool may_truncate) {
  if (bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!may_truncate && text.size() >= static_cast<size_t>(bytes)) return CUDA_ERROR_INVALID_VALUE;
  const size_t copied = std::min(text.size(), static_cast<size_t>(bytes) - 1);
  std::memcpy(out, text.data(), copied);
  out[copied] = '\0';
  return CUDA_SUCCESS;
}

CUresult CopyUuid(CUuuid* uuid, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(uuid, dev, &device)) return result;
  const std::array<uint8_t, 16> bytes = device->uuid();
  std::memcpy(uuid->bytes, bytes.data(), bytes.size());
  return CUDA_SUCCESS;
}

int ValueOf(const Device& device, CUdevice_attribute attribute) {
  int value = 0;
  device.Attribute(attribute, &value);
  return value;
}

uint64_t ElementBytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

}  // namespace

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (Driver::Get().device(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = static_cast<int>(Driver::Get().device_count());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(name, dev, &device)) return result;
  return CopyText(device->description().name, name, len, true);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) { return CopyUuid(uuid, dev); }
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) { return CopyUuid(uuid, dev); }

// Windows only.
CUresult cuDeviceGetLuid(char*, unsigned int*, CUdevice) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuDeviceTotalMem(unsigned int* bytes, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(bytes, dev, &device)) return result;
  *bytes =
      static_cast<unsigned>(std::min<uint64_t>(device->description().total_memory, UINT32_MAX));
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(bytes, dev, &device)) return result;
  *bytes = device->description().total_memory;
  return CUDA_SUCCESS;
}

// As recorded on an H200: 2^30 elements or 4 GiB, whichever is less.
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements, CUarray_format format,
                                            unsigned numChannels, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(maxWidthInElements, dev, &device)) return result;
  const uint64_t bytes = ElementBytes(format) * numChannels;
  const bool channels = numChannels == 1 || numChannels == 2 || numChannels == 4;
  if (bytes == 0 || !channels) return CUDA_ERROR_INVALID_VALUE;
  *maxWidthInElements = std::min(uint64_t{1} << 30, (uint64_t{4} << 30) / bytes);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(pi, dev, &device)) return result;
  int value = 0;
  if (!device->Attribute(attrib, &value)) return CUDA_ERROR_INVALID_VALUE;
  *pi = value;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(pi, dev, &device)) return result;
  *pi = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(prop, dev, &device)) return result;
  CUdevprop properties{};
  properties.maxThreadsPerBlock = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  properties.maxThreadsDim[0] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  properties.maxThreadsDim[1] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  properties.maxThreadsDim[2] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  properties.maxGridSize[0] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  properties.maxGridSize[1] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  properties.maxGridSize[2] = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  properties.sharedMemPerBlock = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  properties.totalConstantMemory = ValueOf(*device, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  properties.SIMDWidth = ValueOf(*device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  properties.memPitch = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  properties.regsPerBlock = ValueOf(*device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  properties.clockRate = ValueOf(*device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  properties.textureAlign = ValueOf(*device, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  *prop = properties;
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  Device* device = nullptr;
  if (minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = NeedDevice(major, dev, &device)) return result;
  *major = ValueOf(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  *minor = ValueOf(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  if (dev == nullptr || pciBusId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  unsigned function = 0;
  if (std::sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
    domain = 0;
    if (std::sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2)
      return CUDA_ERROR_INVALID_VALUE;
  }
  Driver& driver = Driver::Get();
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    const Device& device = *driver.device(static_cast<int>(i));
    if (ValueOf(device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID) == static_cast<int>(domain) &&
        ValueOf(device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) == static_cast<int>(bus) &&
        ValueOf(device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID) == static_cast<int>(slot)) {
      *dev = device.ordinal();
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  Device* device = nullptr;
  if (CUresult result = NeedDevice(pciBusId, dev, &device)) return result;
  return CopyText(device->pci_bus_id(), pciBusId, len, false);
}

}  // namespace culprit::fakedriver::handlers
