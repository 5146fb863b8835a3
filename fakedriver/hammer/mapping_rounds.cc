// SPDX-License-Identifier: Apache-2.0
// Arrays, textures and surfaces, virtual memory and handles for other processes.
#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

void ArrayAndTexture(Hand& hand) {
  const auto& cu = hand.cu;
  CUDA_ARRAY_DESCRIPTOR shape{};
  shape.Width = 16;
  shape.Height = 1 + hand.Below(4);
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  shape.NumChannels = 1;
  CUarray array = nullptr;
  Ok(cu.cuArrayCreate_v2(&array, &shape));
  CUDA_ARRAY_DESCRIPTOR told{};
  Ok(cu.cuArrayGetDescriptor_v2(&told, array));
  EXPECT_EQ(told.Height, shape.Height);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  const CUDA_TEXTURE_DESC sampling{};
  CUtexObject texture = 0;
  Ok(cu.cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  CUDA_RESOURCE_DESC asked{};
  Ok(cu.cuTexObjectGetResourceDesc(&asked, texture));
  EXPECT_EQ(asked.res.array.hArray, array);
  Ok(cu.cuTexObjectDestroy(texture));
  Ok(cu.cuArrayDestroy(array));
}

void CopyThroughArray(Hand& hand) {
  const auto& cu = hand.cu;
  CUDA_ARRAY3D_DESCRIPTOR shape{};
  shape.Width = 32;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 1;
  shape.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array = nullptr;
  Ok(cu.cuArray3DCreate_v2(&array, &shape));
  const std::vector<unsigned char> sent(32, static_cast<unsigned char>(hand.random()));
  std::vector<unsigned char> received(32);
  Ok(cu.cuMemcpyHtoA_v2(array, 0, sent.data(), 32));
  Ok(cu.cuMemcpyAtoH_v2(received.data(), array, 0, 32));
  EXPECT_EQ(received, sent);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  Ok(cu.cuSurfObjectCreate(&surface, &resource));
  Ok(cu.cuSurfObjectDestroy(surface));
  Ok(cu.cuArrayDestroy(array));
}

void MipmappedArray(Hand& hand) {
  const auto& cu = hand.cu;
  CUDA_ARRAY3D_DESCRIPTOR shape{};
  shape.Width = shape.Height = 16;
  shape.Format = CU_AD_FORMAT_FLOAT;
  shape.NumChannels = 2;
  CUmipmappedArray levels = nullptr;
  Ok(cu.cuMipmappedArrayCreate(&levels, &shape, 3));
  CUarray level = nullptr;
  Ok(cu.cuMipmappedArrayGetLevel(&level, levels, 1));
  CUDA_ARRAY3D_DESCRIPTOR told{};
  Ok(cu.cuArray3DGetDescriptor_v2(&told, level));
  EXPECT_EQ(told.Width, 8u);
  Ok(cu.cuMipmappedArrayDestroy(levels));
}

void MappedMemory(Hand& hand) {
  const auto& cu = hand.cu;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  size_t size = 0;
  Ok(cu.cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  Ok(cu.cuMemCreate(&handle, size, &properties, 0));
  Ok(cu.cuMemAddressReserve(&address, size, 0, 0, 0));
  Ok(cu.cuMemMap(address, size, 0, handle, 0));
  const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  Ok(cu.cuMemSetAccess(address, size, &access, 1));
  CUmemGenericAllocationHandle again = 0;
  Ok(cu.cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(address)));
  EXPECT_EQ(again, handle);
  Ok(cu.cuMemRelease(again));
  Ok(cu.cuMemsetD32_v2(address, 31, 16));
  unsigned word = 0;
  Ok(cu.cuMemcpyDtoH_v2(&word, address, sizeof word));
  EXPECT_EQ(word, 31u);
  Ok(cu.cuMemUnmap(address, size));
  Ok(cu.cuMemRelease(handle));
  Ok(cu.cuMemAddressFree(address, size));
}

void IpcHandles(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 64, 1);
  CUipcMemHandle memory{};
  Ok(cu.cuIpcGetMemHandle(&memory, words));
  CUdeviceptr opened = 0;  // which only another process may
  Ok(cu.cuIpcOpenMemHandle_v2(&opened, memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
     CUDA_ERROR_INVALID_CONTEXT);
  CUevent event = nullptr;
  Ok(cu.cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  CUipcEventHandle exported{};
  Ok(cu.cuIpcGetEventHandle(&exported, event));
  Ok(cu.cuEventDestroy_v2(event));
}

}  // namespace

std::vector<NamedRound> MappingRounds() {
  return {{"texture", ArrayAndTexture},
          {"array", CopyThroughArray},
          {"mipmapped array", MipmappedArray},
          {"virtual memory", MappedMemory},
          {"ipc", IpcHandles}};
}

}  // namespace culprit::fakedriver::hammer
