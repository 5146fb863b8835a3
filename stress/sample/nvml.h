// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace culprit::stress {

// The few calls of NVML that a run needs, from a library loaded at run time: NVML ships with the
// driver, is absent on some machines, and hides processes from containers. Each of these is an
// answer in words, never an error of the run.
class Nvml {
 public:
  // Null when the library is absent or does not start; the reason is left in `why`.
  static std::unique_ptr<Nvml> Load(const std::string& path, std::string* why);
  ~Nvml();

  // Chooses the device with this CUDA UUID; the ordinal counts differently under
  // CUDA_VISIBLE_DEVICES. False with a reason when NVML does not know it.
  bool SelectDevice(const unsigned char (&uuid)[16], std::string* why);

  // Bytes of device memory that process `pid` holds on the selected device.
  // kUnavailable when NVML does not list the process or withholds the figure.
  int64_t ProcessMemory(unsigned pid) const;

  // "580.159.04"; empty when NVML does not say.
  std::string DriverVersion() const;

 private:
  struct Functions;
  Nvml();
  std::unique_ptr<Functions> functions_;
  void* device_ = nullptr;
};

}  // namespace culprit::stress
