// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 for tests: one device, and a process list that does what the environment
// variable CULPRIT_FAKE_NVML says.
//   bytes=N         this process holds N bytes
//   growing=N       N bytes more at each question
//   withheld        this process is listed, its memory is not available
//   other-process   somebody else is listed
//   too-many        the list does not fit
//   refused         not permitted
//   no-start        the library does not initialise
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "stress/sample/nvml_abi.h"

namespace {

using culprit::stress::kNvmlInsufficientSize;
using culprit::stress::kNvmlSuccess;
using culprit::stress::kNvmlWithheld;
using culprit::stress::NvmlProcess;

constexpr int kInvalidArgument = 2;
constexpr int kNoPermission = 4;
constexpr int kNotFound = 6;
constexpr int kDriverNotLoaded = 9;

int the_device;

std::string_view Mode() {
  const char* mode = std::getenv("CULPRIT_FAKE_NVML");
  return mode != nullptr ? mode : "";
}

bool Starts(std::string_view prefix, uint64_t* number) {
  if (Mode().substr(0, prefix.size()) != prefix) return false;
  *number = std::strtoull(Mode().data() + prefix.size(), nullptr, 10);
  return true;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return Mode() == "no-start" ? kDriverNotLoaded : kNvmlSuccess; }

int nvmlShutdown() { return kNvmlSuccess; }

int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  constexpr char kVersion[] = "999.10.01";
  if (length < sizeof kVersion) return kNvmlInsufficientSize;
  std::memcpy(version, kVersion, sizeof kVersion);
  return kNvmlSuccess;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  // As nvidia-smi prints it: GPU- and 32 digits in five groups.
  if (std::strlen(uuid) != 40 || std::strncmp(uuid, "GPU-", 4) != 0) return kInvalidArgument;
  if (std::strncmp(uuid, "GPU-ffffffff", 12) == 0) return kNotFound;
  *device = &the_device;
  return kNvmlSuccess;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, NvmlProcess* processes) {
  if (device != &the_device) return kInvalidArgument;
  if (Mode() == "refused") return kNoPermission;
  if (Mode() == "too-many") {
    *count = 100000;
    return kNvmlInsufficientSize;
  }
  if (*count < 2) return kNvmlInsufficientSize;
  const auto self = static_cast<uint32_t>(getpid());
  static uint64_t questions = 0;
  uint64_t bytes = 0;
  if (Starts("growing=", &bytes)) bytes *= ++questions;
  Starts("bytes=", &bytes);
  processes[0] = {1, 1 << 20, 0, 0};
  processes[1] = {Mode() == "other-process" ? self + 1 : self, bytes, 0, 0};
  if (Mode() == "withheld") processes[1].used_bytes = kNvmlWithheld;
  *count = 2;
  return kNvmlSuccess;
}

}  // extern "C"
