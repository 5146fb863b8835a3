// SPDX-License-Identifier: Apache-2.0
// Device, pitched, pinned, registered and managed memory, pools, and copies between them.
#include <cstdlib>
#include <memory>

#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes SomeBytes(Hand& hand, size_t count) {
  Bytes bytes(count);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(hand.random());
  return bytes;
}

void CopyThroughDevice(Hand& hand) {
  const auto& cu = hand.cu;
  const Bytes sent = SomeBytes(hand, 1 + hand.Below(3000));
  Bytes received(sent.size());
  CUdeviceptr from = 0, to = 0, base = 0;
  Ok(cu.cuMemAlloc_v2(&from, sent.size()));
  Ok(cu.cuMemAlloc_v2(&to, sent.size()));
  size_t size = 0;
  Ok(cu.cuMemGetAddressRange_v2(&base, &size, from + sent.size() / 2));
  EXPECT_EQ(base, from);
  EXPECT_EQ(size, sent.size());
  Ok(cu.cuMemcpyHtoD_v2(from, sent.data(), sent.size()));
  Ok(cu.cuMemcpyDtoD_v2(to, from, sent.size()));
  Ok(cu.cuMemcpyDtoH_v2(received.data(), to, sent.size()));
  EXPECT_EQ(received, sent);
  Ok(cu.cuMemFree_v2(from));
  Ok(cu.cuMemFree_v2(to));
}

void CopyRows(Hand& hand) {
  const auto& cu = hand.cu;
  constexpr size_t kWidth = 20, kHeight = 5;
  const Bytes sent = SomeBytes(hand, kWidth * kHeight);
  Bytes received(sent.size());
  CUdeviceptr rows = 0;
  size_t pitch = 0;
  Ok(cu.cuMemAllocPitch_v2(&rows, &pitch, kWidth, kHeight, 4));
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = sent.data();
  copy.srcPitch = kWidth;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.WidthInBytes = kWidth;
  copy.Height = kHeight;
  Ok(cu.cuMemcpy2D_v2(&copy));
  CUDA_MEMCPY2D back{};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = rows;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = received.data();
  back.dstPitch = kWidth;
  back.WidthInBytes = kWidth;
  back.Height = kHeight;
  Ok(cu.cuMemcpy2D_v2(&back));
  EXPECT_EQ(received, sent);
  Ok(cu.cuMemFree_v2(rows));
}

void PinnedMemory(Hand& hand) {
  const auto& cu = hand.cu;
  constexpr size_t kWords = 256;
  void* block = nullptr;
  Ok(cu.cuMemHostAlloc(&block, kWords * sizeof(unsigned), CU_MEMHOSTALLOC_DEVICEMAP));
  unsigned flags = 0;
  Ok(cu.cuMemHostGetFlags(&flags, block));
  CUdeviceptr mapped = 0;
  Ok(cu.cuMemHostGetDevicePointer_v2(&mapped, block, 0));
  const OwnWords words(hand, kWords, 77);
  OwnStream stream(hand);
  Ok(cu.cuMemcpyDtoHAsync_v2(block, words, kWords * sizeof(unsigned), stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(static_cast<unsigned*>(block)[kWords - 1], 77u);
  Ok(cu.cuMemFreeHost(block));
}

void RegisteredMemory(Hand& hand) {
  const auto& cu = hand.cu;
  constexpr size_t kPage = 4096;
  const std::unique_ptr<void, decltype(&std::free)> page(std::aligned_alloc(kPage, kPage),
                                                         &std::free);
  Ok(cu.cuMemHostRegister_v2(page.get(), kPage, 0));
  Ok(cu.cuMemHostRegister_v2(page.get(), kPage, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  const OwnWords words(hand, 32, 8);
  OwnStream stream(hand);
  Ok(cu.cuMemcpyDtoHAsync_v2(page.get(), words, 128, stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(static_cast<unsigned*>(page.get())[31], 8u);
  Ok(cu.cuMemHostUnregister(page.get()));
}

void ManagedMemory(Hand& hand) {
  const auto& cu = hand.cu;
  CUdeviceptr managed = 0;
  Ok(cu.cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  OwnStream stream(hand);
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  Ok(cu.cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  Ok(cu.cuMemPrefetchAsync_v2(managed, 4096, device, 0, stream));
  Ok(cu.cuMemsetD32Async(managed, 11, 1024, stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(*reinterpret_cast<unsigned*>(managed), 11u);
  Ok(cu.cuMemFree_v2(managed));
}

void AskPointers(Hand& hand) {
  const auto& cu = hand.cu;
  unsigned type = 0;
  Ok(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, hand.shared.memory + 8));
  EXPECT_EQ(type, unsigned{CU_MEMORYTYPE_DEVICE});
  int ordinal = -1;
  CUcontext context = nullptr;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                      CU_POINTER_ATTRIBUTE_CONTEXT};
  void* values[] = {&ordinal, &context};
  Ok(cu.cuPointerGetAttributes(2, attributes, values, hand.shared.memory));
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(context, hand.shared.context);
  size_t free = 0, total = 0;
  Ok(cu.cuMemGetInfo_v2(&free, &total));
  EXPECT_LT(free, total);
  unsigned word = 0;
  Ok(cu.cuMemcpyDtoH_v2(&word, hand.shared.memory, sizeof word));
  EXPECT_EQ(word, 123u);
}

void OwnPool(Hand& hand) {
  const auto& cu = hand.cu;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  CUmemoryPool pool = nullptr;
  Ok(cu.cuMemPoolCreate(&pool, &properties));
  cuuint64_t threshold = 1 << 20;
  Ok(cu.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  {
    OwnStream stream(hand);
    CUdeviceptr memory = 0;
    Ok(cu.cuMemAllocFromPoolAsync(&memory, 512, pool, stream));
    Ok(cu.cuMemsetD8Async(memory, 1, 512, stream));
    Ok(cu.cuMemFreeAsync(memory, stream));
    Ok(cu.cuStreamSynchronize(stream));
  }
  Ok(cu.cuMemPoolTrimTo(pool, 0));
  Ok(cu.cuMemPoolDestroy(pool));
}

void SharedPool(Hand& hand) {
  const auto& cu = hand.cu;
  OwnStream stream(hand);
  CUdeviceptr memory = 0;
  if (hand.Below(2) != 0) {
    Ok(cu.cuMemAllocFromPoolAsync(&memory, 256, hand.shared.pool, stream));
  } else {
    Ok(cu.cuMemAllocAsync(&memory, 256, stream));
  }
  Ok(cu.cuMemsetD32Async(memory, 21, 64, stream));
  unsigned word = 0;
  Ok(cu.cuMemcpyDtoHAsync_v2(&word, memory + 252, sizeof word, stream));
  Ok(cu.cuMemFreeAsync(memory, stream));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(word, 21u);
  cuuint64_t used = 0;
  Ok(cu.cuMemPoolGetAttribute(hand.shared.pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
}

}  // namespace

std::vector<NamedRound> MemoryRounds() {
  return {{"copy through device", CopyThroughDevice},
          {"rows", CopyRows},
          {"pinned", PinnedMemory},
          {"registered", RegisteredMemory},
          {"managed", ManagedMemory},
          {"pointers", AskPointers},
          {"own pool", OwnPool},
          {"shared pool", SharedPool}};
}

}  // namespace culprit::fakedriver::hammer
