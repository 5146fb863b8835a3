// SPDX-License-Identifier: Apache-2.0
// The driver under question: whichever libcuda.so.1 the dynamic loader finds, or the one named.
// Entries are resolved by their exported names, so that the header's versioned macros pick the
// variant a client of this header would call.
#ifndef SUITES_DRIVER_ATLAS_DRIVER_H_
#define SUITES_DRIVER_ATLAS_DRIVER_H_

#include <cuda.h>

#include <string>

namespace culprit::atlas {

// Opens the driver. `path` empty: "libcuda.so.1" by the loader's rules. Returns an empty text or
// the reason.
std::string OpenDriver(const std::string& path);

// Address of an exported symbol, or nullptr.
void* DriverSymbol(const char* exported_name);

// Path of the library as mapped.
std::string DriverPath();

// "CUDA_ERROR_...": from our own table of names, never from the driver under question.
std::string ResultName(CUresult result);

}  // namespace culprit::atlas

#define ATLAS_TEXT_(x) #x
#define ATLAS_TEXT(x) ATLAS_TEXT_(x)
// The entry of that name as the header maps it: ATLAS_DRIVER(cuMemAlloc) is cuMemAlloc_v2. Null
// where it is not exported.
#define ATLAS_DRIVER(entry) \
  reinterpret_cast<decltype(&entry)>(::culprit::atlas::DriverSymbol(ATLAS_TEXT(entry)))

#endif  // SUITES_DRIVER_ATLAS_DRIVER_H_
