// SPDX-License-Identifier: Apache-2.0
// The part of NVML's C interface that is used here, declared by hand: nvml.h is not part of the
// toolkit's driver headers. Layouts as NVML's documentation gives them for driver 510 and newer.
#pragma once

#include <cstdint>

namespace culprit::stress {

inline constexpr int kNvmlSuccess = 0;
inline constexpr int kNvmlInsufficientSize = 7;
inline constexpr uint64_t kNvmlWithheld = ~uint64_t{0};  // NVML_VALUE_NOT_AVAILABLE

struct NvmlProcess {  // nvmlProcessInfo_t, version 2
  uint32_t pid;
  uint64_t used_bytes;
  uint32_t gpu_instance;
  uint32_t compute_instance;
};
static_assert(sizeof(NvmlProcess) == 24);

using NvmlInit = int (*)();
using NvmlShutdown = int (*)();
using NvmlDriverVersion = int (*)(char* version, unsigned length);
using NvmlDeviceByUuid = int (*)(const char* uuid, void** device);
using NvmlComputeProcesses = int (*)(void* device, unsigned* count, NvmlProcess* processes);

}  // namespace culprit::stress
