// SPDX-License-Identifier: Apache-2.0
// Launches as before CUDA 4, and many copies in one call.
#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

// The old launch entries are deprecated, which is why it matters what they answer.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace culprit::atlas {

void AddLegacyOperations(std::vector<Operation>* out) {
  ATLAS_BIND(cuFuncSetBlockShape, "F i i i");
  ATLAS_BIND(cuFuncSetSharedSize, "F i");
  ATLAS_BIND(cuParamSetSize, "F i");
  ATLAS_BIND(cuParamSeti, "F i i");
  ATLAS_OPERATION("parameter_pointer", "F i P", {
    CUdeviceptr pointer = call.In<CUdeviceptr>(2);
    return ATLAS_DRIVER(cuParamSetv)(call.In<CUfunction>(0), call.In<int>(1), &pointer,
                                     sizeof pointer);
  });
  ATLAS_BIND(cuLaunch, "F");
  ATLAS_BIND(cuLaunchGrid, "F i i");
  ATLAS_BIND(cuLaunchGridAsync, "F i i S");
  // Two copies: destination, source, bytes of each; order of source access, stream.
  ATLAS_OPERATION("copy_two", "P P i P P i i S", {
    CUdeviceptr to[] = {call.In<CUdeviceptr>(0), call.In<CUdeviceptr>(3)};
    CUdeviceptr from[] = {call.In<CUdeviceptr>(1), call.In<CUdeviceptr>(4)};
    size_t sizes[] = {call.In<size_t>(2), call.In<size_t>(5)};
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = call.In<CUmemcpySrcAccessOrder>(6);
    size_t first = 0;
    auto* copy =
        reinterpret_cast<CUresult (*)(CUdeviceptr*, CUdeviceptr*, size_t*, size_t,
                                      CUmemcpyAttributes*, size_t*, size_t, size_t*, CUstream)>(
            DriverSymbol("cuMemcpyBatchAsync"));
    if (copy == nullptr) return kEntryMissing;
    size_t failed = Call::kPoison;
    const CUresult result =
        copy(to, from, sizes, 2, &attributes, &first, 1, &failed, call.In<CUstream>(7));
    if (failed != Call::kPoison) {
      call.extra = failed == SIZE_MAX ? "failed=none" : "failed=" + std::to_string(failed);
    }
    return result;
  });
}

}  // namespace culprit::atlas
