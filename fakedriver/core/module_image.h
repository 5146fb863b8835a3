// SPDX-License-Identifier: Apache-2.0
//
// From the image that a program passes to cuModuleLoadData to PTX text.
//
// An image is PTX text; a fatbin, bare or behind the wrapper that nvcc's host code uses, whose
// entries may be compressed with LZ4 or Zstandard; or a cubin. Machine code cannot run here. A
// cubin alone is answered as a driver does on a device of another architecture, and where a fatbin
// has PTX beside it, the PTX is taken, as a driver does when no cubin fits.
#ifndef FAKEDRIVER_CORE_MODULE_IMAGE_H_
#define FAKEDRIVER_CORE_MODULE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver {

struct ModuleImage {
  CUresult result = CUDA_SUCCESS;  // CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_NO_BINARY_FOR_GPU
  std::string reason;              // one sentence, when it is no success
  std::vector<std::string> ptx;    // texts that make one module
  uint32_t register_limit = 0;     // what the linker was told to keep to; 0: nothing
  // The text is for a newer device, and the image had machine code for this one besides: a real
  // device would have run that.
  bool newer_target = false;
};

// The bytes of an image whose size only the image itself tells. Empty when it is no image, or when
// its memory ends before it does.
std::span<const std::byte> ImageBytes(const void* image);

// `device_sm` is 90 for sm_90.
ModuleImage DecodeImage(std::span<const std::byte> image, uint32_t device_sm);

// The output of a link: an ELF file for the device, which holds the texts. `register_limit`: at
// most 255; 0: none.
std::vector<std::byte> MakeLinkedImage(std::span<const std::string> ptx, uint32_t device_sm,
                                       uint32_t register_limit);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_MODULE_IMAGE_H_
