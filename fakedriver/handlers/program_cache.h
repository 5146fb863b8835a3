// SPDX-License-Identifier: Apache-2.0
//
// From images to programs. Reading a big module takes milliseconds, and programs load the same one
// again and again, so programs that were read lately are kept, by the content of their image.
#ifndef FAKEDRIVER_HANDLERS_PROGRAM_CACHE_H_
#define FAKEDRIVER_HANDLERS_PROGRAM_CACHE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/module.h"

namespace culprit::fakedriver::handlers {

struct LoadedImage {
  CUresult result = CUDA_SUCCESS;
  std::shared_ptr<const LoadedProgram> program;  // only on success
  std::string log;                               // what a compiler would say, empty on success
  bool lacks_definition = false;                 // all that is wrong: a name without definition
};

// Reads one text, for its errors; nothing is kept.
LoadedImage LoadText(std::string_view text, uint32_t device_sm);

LoadedImage LoadImage(std::span<const std::byte> image, uint32_t device_sm);

// The same program, kept to so many registers; 0: no limit but the one it has.
std::shared_ptr<const LoadedProgram> Limited(std::shared_ptr<const LoadedProgram> program,
                                             uint32_t register_limit);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_PROGRAM_CACHE_H_
