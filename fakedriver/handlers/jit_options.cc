// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/jit_options.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint32_t kMostRegisters = 255;

}  // namespace

CUresult JitOptions::Read(unsigned count, const CUjit_option* options, void** values) {
  if (count > 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case CU_JIT_MAX_REGISTERS:
        register_limit_ = std::min<uint32_t>(
            static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i])), kMostRegisters);
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        error_.text = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_.size = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
        error_.size_value = &values[i];
        break;
      case CU_JIT_INFO_LOG_BUFFER:
        info_.text = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_.size = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
        info_.size_value = &values[i];
        break;
      default:
        if (options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS) return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

void JitOptions::Buffer::Write(std::string_view log) {
  size_t written = 0;
  if (text != nullptr && size > 0) {
    written = std::min(log.size(), size - 1);
    std::memcpy(text, log.data(), written);
    text[written] = '\0';
  }
  if (size_value != nullptr) *size_value = reinterpret_cast<void*>(written);
}

}  // namespace culprit::fakedriver::handlers
