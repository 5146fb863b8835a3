// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kSize = size_t{2} << 20;

class VirtualMemoryTest : public testing::DriverTest {
 protected:
  VirtualMemoryTest() {
    Start();
    context_ = NewContext();
  }

  static CUmemAllocationProp OnDevice() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
    return properties;
  }

  size_t FreeBytes() {
    size_t free = 0;
    size_t total = 0;
    EXPECT_EQ(cu.cuMemGetInfo_v2(&free, &total), CUDA_SUCCESS);
    return free;
  }

  // A range of addresses with memory behind it.
  CUdeviceptr NewMapping(CUmemGenericAllocationHandle* handle, int shareable = 0) {
    CUmemAllocationProp properties = OnDevice();
    if (shareable) properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUdeviceptr address = 0;
    EXPECT_EQ(cu.cuMemCreate(handle, kSize, &properties, 0), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemAddressReserve(&address, kSize, 0, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemMap(address, kSize, 0, *handle, 0), CUDA_SUCCESS);
    Allow(address, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    return address;
  }
  void Allow(CUdeviceptr address, CUmemAccess_flags flags) {
    CUmemAccessDesc access{};
    access.location = OnDevice().location;
    access.flags = flags;
    EXPECT_EQ(cu.cuMemSetAccess(address, kSize, &access, 1), CUDA_SUCCESS);
  }

  CUcontext context_ = nullptr;
};

TEST_F(VirtualMemoryTest, TheLastOfHandleAndMappingGivesTheMemoryBack) {
  const size_t before = FreeBytes();
  for (const int shareable : {0, 1}) {
    SCOPED_TRACE(shareable);
    CUmemGenericAllocationHandle handle = 0;
    const CUdeviceptr address = NewMapping(&handle, shareable);
    EXPECT_EQ(cu.cuMemRelease(handle), CUDA_SUCCESS);
    EXPECT_EQ(FreeBytes(), before - kSize);
    EXPECT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
    EXPECT_EQ(FreeBytes(), before);
    EXPECT_EQ(cu.cuMemAddressFree(address, kSize), CUDA_SUCCESS);
  }
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(VirtualMemoryTest, AHandleKeepsMemoryThatIsMappedNoMore) {
  const size_t before = FreeBytes();
  CUmemGenericAllocationHandle handle = 0;
  const CUdeviceptr address = NewMapping(&handle);
  EXPECT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
  EXPECT_EQ(FreeBytes(), before - kSize);
  EXPECT_EQ(cu.cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(VirtualMemoryTest, TakingAccessAwayKeepsTheMapping) {
  const size_t before = FreeBytes();
  CUmemGenericAllocationHandle handle = 0;
  const CUdeviceptr address = NewMapping(&handle);
  EXPECT_EQ(cu.cuMemsetD8_v2(address, 7, 16), CUDA_SUCCESS);
  Allow(address, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  EXPECT_EQ(cu.cuMemsetD8_v2(address, 7, 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(FreeBytes(), before - kSize);
  Allow(address, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  unsigned char byte = 0;
  EXPECT_EQ(cu.cuMemcpyDtoH_v2(&byte, address, 1), CUDA_SUCCESS);
  EXPECT_EQ(byte, 7);
  EXPECT_EQ(cu.cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(VirtualMemoryTest, ManyMappingsOneAfterTheOtherNeedTheMemoryOfOne) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(cu.cuMemGetInfo_v2(&free, &total), CUDA_SUCCESS);
  const size_t more_than_fit = total / kSize + 1;
  for (size_t i = 0; i < std::min<size_t>(more_than_fit, 2000); ++i) {
    CUmemGenericAllocationHandle handle = 0;
    const CUdeviceptr address = NewMapping(&handle);
    ASSERT_EQ(cu.cuMemRelease(handle), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemAddressFree(address, kSize), CUDA_SUCCESS);
  }
  EXPECT_EQ(FreeBytes(), free);
}

TEST_F(VirtualMemoryTest, APoolThatWasDestroyedGivesItsMemoryBackWithTheLastBlock) {
  const size_t before = FreeBytes();
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = OnDevice().location;
  CUmemoryPool pool = nullptr;
  ASSERT_EQ(cu.cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
  CUdeviceptr block = 0;
  ASSERT_EQ(cu.cuMemAllocFromPoolAsync(&block, kSize, pool, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemPoolDestroy(pool), CUDA_SUCCESS);
  EXPECT_LT(FreeBytes(), before);
  ASSERT_EQ(cu.cuMemFreeAsync(block, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(VirtualMemoryTest, UnmappingUnderQueuedWorkIsAFinding) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUmemGenericAllocationHandle handle = 0;
  const CUdeviceptr address = NewMapping(&handle);
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuMemsetD8Async(address, 1, kSize, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
}

TEST_F(VirtualMemoryTest, UnmappingAfterAWaitIsNone) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUmemGenericAllocationHandle handle = 0;
  const CUdeviceptr address = NewMapping(&handle);
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuMemsetD8Async(address, 1, kSize, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemUnmap(address, kSize), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(VirtualMemoryTest, AGraphOverMemoryThatIsGoneIsAFindingAndNoCrash) {
  CUgraph graph = nullptr;
  ASSERT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  void* host = nullptr;
  ASSERT_EQ(cu.cuMemHostAlloc(&host, kSize, 0), CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS set{};
  set.dst = reinterpret_cast<CUdeviceptr>(host);
  set.value = 1;
  set.elementSize = 1;
  set.width = 64;
  set.height = 1;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddMemsetNode(&node, graph, nullptr, 0, &set, context_), CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  ASSERT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeHost(host), CUDA_SUCCESS);
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.use_after_free"));
}

}  // namespace
}  // namespace culprit::fakedriver
