// SPDX-License-Identifier: Apache-2.0
//
// cuda.h for the side that implements the driver. The header's macros rename cuMemAlloc to
// cuMemAlloc_v2 for callers; defining
// __CUDA_API_VERSION_INTERNAL switches them off, so that every row of driver_api.def names the
// symbol it says. It also makes the header declare the superseded variants. Nothing in the fake
// includes cuda.h except through this file.
#ifndef FAKEDRIVER_ABI_CUDA_API_H_
#define FAKEDRIVER_ABI_CUDA_API_H_

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

// Declared in cudaProfiler.h, which not every installation of the headers has.
using CUoutput_mode = int;

static_assert(CUDA_VERSION >= 13000, "the fake driver is built on CUDA 13.0 headers or newer");

#endif  // FAKEDRIVER_ABI_CUDA_API_H_
