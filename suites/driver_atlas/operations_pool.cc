// SPDX-License-Identifier: Apache-2.0
// Memory pools and stream-ordered allocation.
#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {

void AddPoolOperations(std::vector<Operation>* out) {
  ATLAS_BIND(cuMemAllocAsync, "P+ i S");
  ATLAS_BIND(cuMemAllocFromPoolAsync, "P+ i L S");
  ATLAS_BIND(cuMemFreeAsync, "P! S");
  ATLAS_BIND(cuMemPoolDestroy, "L!");
  ATLAS_BIND(cuMemPoolTrimTo, "L i");
  // A pool of pinned device memory on device i.
  ATLAS_OPERATION("pool", "L+ i", {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = call.In<int>(1);
    return ATLAS_DRIVER(cuMemPoolCreate)(call.Out<CUmemoryPool>(0), &properties);
  });
  ATLAS_OPERATION("pool_attribute", "L i", {
    cuuint64_t value = Call::kPoison;
    const CUresult result = ATLAS_DRIVER(cuMemPoolGetAttribute)(
        call.In<CUmemoryPool>(0), call.In<CUmemPool_attribute>(1), &value);
    // The reuse switches are ints, the rest 64-bit counts.
    const bool is_int = call.Value(1) >= 1 && call.Value(1) <= 3;
    if (value != Call::kPoison)
      call.extra = "value=" + std::to_string(is_int ? static_cast<uint32_t>(value) : value);
    return result;
  });
  ATLAS_OPERATION("set_pool_attribute", "L i i", {
    cuuint64_t value = call.Value(2);
    return ATLAS_DRIVER(cuMemPoolSetAttribute)(call.In<CUmemoryPool>(0),
                                               call.In<CUmemPool_attribute>(1), &value);
  });
}

}  // namespace culprit::atlas
