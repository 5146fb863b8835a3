// SPDX-License-Identifier: Apache-2.0
#include "inventory/driver/entries.h"

#include <gtest/gtest.h>

namespace culprit::inventory {
namespace {

TEST(DriverEntriesTest, EachTeardownOfTheContractDestroysItsHandleType) {
  struct {
    const char* name;
    const char* object;
  } const cases[] = {{"cuModuleUnload", "CUmodule"},
                     {"cuStreamDestroy", "CUstream"},
                     {"cuEventDestroy_v2", "CUevent"},
                     {"cuMemFree", "CUdeviceptr"},
                     {"cuMemFreeHost", "void*"},
                     {"cuCtxDestroy", "CUcontext"},
                     {"cuMemFreeAsync_ptsz", "CUdeviceptr"}};
  for (const auto& expected : cases) {
    const DriverEntry* entry = FindEntry(expected.name);
    ASSERT_NE(entry, nullptr) << expected.name;
    EXPECT_EQ(entry->role, Role::kDestroys) << expected.name;
    EXPECT_EQ(entry->object, expected.object) << expected.name;
  }
}

TEST(DriverEntriesTest, ACreatePairsWithItsDestroyThroughTheHandle) {
  EXPECT_EQ(FindEntry("cuModuleLoadData")->object, FindEntry("cuModuleUnload")->object);
  EXPECT_EQ(FindEntry("cuMemAllocPitch")->object, FindEntry("cuMemFree")->object);
  EXPECT_EQ(FindEntry("cuMemHostAlloc")->object, FindEntry("cuMemFreeHost")->object);
  EXPECT_EQ(FindEntry("cuDevicePrimaryCtxRetain")->object,
            FindEntry("cuDevicePrimaryCtxRelease")->object);
  EXPECT_EQ(FindEntry("cuLinkCreate")->object_parameter, 3);
}

TEST(DriverEntriesTest, PushAndPopAreNamedAsSuch) {
  EXPECT_EQ(FindEntry("cuCtxPushCurrent_v2")->role, Role::kPushes);
  EXPECT_EQ(FindEntry("cuCtxPopCurrent")->role, Role::kPops);
  EXPECT_EQ(FindEntry("cuStreamSynchronize")->role, Role::kWaits);
}

TEST(DriverEntriesTest, APlainNameMapsToTheNewestVariantOfItsHeader) {
  EXPECT_EQ(VersionedSymbol("cuMemFree", 12000), "cuMemFree_v2");
  EXPECT_EQ(VersionedSymbol("cuModuleUnload", 12000), "");
  EXPECT_EQ(VersionedSymbol("cuMemFree_v2", 12000), "");
  EXPECT_EQ(VersionedSymbol("cuEventElapsedTime", 12000), "");
  EXPECT_EQ(VersionedSymbol("cuEventElapsedTime", 13000), "cuEventElapsedTime_v2");
}

TEST(DriverEntriesTest, AnUnknownNameHasNoEntry) {
  EXPECT_EQ(FindEntry("cuModuleUnloadAll"), nullptr);
}

}  // namespace
}  // namespace culprit::inventory
