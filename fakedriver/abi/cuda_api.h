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

// Types of cudaProfiler.h and cudaEGL.h, which not every installation has, and which need the
// headers of the graphics systems: of the same size and passed in the same way. Names of OpenGL and
// VDPAU objects are unsigned integers, EGL's are pointers.
using CUoutput_mode = int;
using CUeglStreamConnection = void*;
struct CUeglFrame {
  void* frame[3];
  unsigned int width, height, depth, pitch, planeCount, numChannels;
  int frameType, eglColorFormat, cuFormat;
};

static_assert(CUDA_VERSION >= 13000, "the fake driver is built on CUDA 13.0 headers or newer");

#endif  // FAKEDRIVER_ABI_CUDA_API_H_
