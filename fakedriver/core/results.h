// SPDX-License-Identifier: Apache-2.0
//
// CUresult values as text and back, and which of them the documentation lists for an entry.
#ifndef FAKEDRIVER_CORE_RESULTS_H_
#define FAKEDRIVER_CORE_RESULTS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

// "CUDA_ERROR_OUT_OF_MEMORY"; null for a value that is none.
const char* ResultName(CUresult result);

// The name, or the number of a value that has none.
std::string ResultText(CUresult result);

// What cuGetErrorString answers; null for a value that is none.
const char* ResultDescription(CUresult result);

std::optional<CUresult> ResultNamed(std::string_view name);

// Nothing for a number that is no result, which the enumeration need not be able to hold.
std::optional<CUresult> ResultNumbered(int64_t number);

// Without CUDA_SUCCESS. Empty for entries that the header does not document.
std::span<const CUresult> DocumentedResults(ApiId id);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_RESULTS_H_
