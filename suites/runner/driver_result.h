// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_DRIVER_RESULT_H_
#define SUITES_RUNNER_DRIVER_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::suites {

// "CUDA_ERROR_OUT_OF_MEMORY"; the number as text for a value that cuda.h does not name.
std::string DriverResultName(int32_t result);
// The value of a name as cuda.h spells it, or of a number from 1 to 9999 that a vendor may yet
// name.
std::optional<int32_t> DriverResultValue(std::string_view name);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DRIVER_RESULT_H_
