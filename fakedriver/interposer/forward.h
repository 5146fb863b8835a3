// SPDX-License-Identifier: Apache-2.0
//
// The handler of every entry: the vendor's function of the same name, with a look at what is to be
// learnt from the call.
#ifndef FAKEDRIVER_INTERPOSER_FORWARD_H_
#define FAKEDRIVER_INTERPOSER_FORWARD_H_

#include <array>
#include <optional>
#include <span>

#include "fakedriver/core/api.h"
#include "fakedriver/interposer/vendor_driver.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::interposer {

// Whether Before and After have anything to do for the entry.
bool IsObserved(ApiId id);

// A result for a call that must not reach the vendor's driver.
std::optional<CUresult> Before(ApiId id, std::span<const trace::Argument> arguments);

// After the vendor's driver answered.
void After(ApiId id, std::span<const trace::Argument> arguments, CUresult result);

// What a call answers when the vendor's driver does not have the entry.
CUresult Missing();

template <ApiId Id>
struct Forward {
  template <typename... Args>
  CUresult operator()(Args... args) const noexcept {
    // The debugger's own entries have no known parameters.
    if constexpr (Info(Id).family == Family::kDebugger) return CUDA_ERROR_NOT_SUPPORTED;
    auto* vendor = reinterpret_cast<CUresult(CUDAAPI*)(Args...)>(VendorAddress(Id));
    if (vendor == nullptr) return Missing();
    if (!IsObserved(Id)) return vendor(args...);
    const std::array<trace::Argument, sizeof...(Args)> arguments{trace::Capture(args)...};
    if (auto answer = Before(Id, arguments)) return *answer;
    const CUresult result = vendor(args...);
    After(Id, arguments, result);
    return result;
  }
};

}  // namespace culprit::fakedriver::interposer

#endif  // FAKEDRIVER_INTERPOSER_FORWARD_H_
