// SPDX-License-Identifier: Apache-2.0
//
// What a failed call leaves in its out-parameters, where the real driver clears them.
#ifndef FAKEDRIVER_SHIM_CLEARED_OUTPUTS_H_
#define FAKEDRIVER_SHIM_CLEARED_OUTPUTS_H_

#include <type_traits>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/api.h"

namespace culprit::fakedriver::shim {

constexpr bool ClearsOutputs(ApiId id) {
  switch (id) {
#define FD_CLEARS(symbol) case ApiId::symbol:
#include "fakedriver/abi/cleared_outputs.def"
#undef FD_CLEARS
    return true;
    default:
      return false;
  }
}

// Handles come in by value and are no out-parameters; what a pointer to a handle or a number points
// to is.
template <typename T>
inline constexpr bool kIsOutput =
    std::is_same_v<T, CUdeviceptr*> || std::is_same_v<T, size_t*> || std::is_same_v<T, void**> ||
    std::is_same_v<T, CUfunction*> || std::is_same_v<T, CUgraph*>;

template <typename T>
void ClearOutput(T argument) {
  if constexpr (kIsOutput<T>) {
    if (argument != nullptr) *argument = {};
  }
}

// Passes `result` on. Injected errors never come here: they leave out-parameters as they were,
// whatever the entry.
template <ApiId Id, typename... Args>
[[gnu::always_inline]] inline CUresult ClearOnFailure(CUresult result, Args... args) noexcept {
  if constexpr (ClearsOutputs(Id)) {
    if (result != CUDA_SUCCESS) [[unlikely]] {
      (ClearOutput(args), ...);
    }
  }
  return result;
}

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_CLEARED_OUTPUTS_H_
