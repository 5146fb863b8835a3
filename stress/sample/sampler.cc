// SPDX-License-Identifier: Apache-2.0
#include "stress/sample/sampler.h"

#include <unistd.h>

#include "stress/sample/process.h"

namespace culprit::stress {

Sampler::Sampler(const Session& session, const std::string& nvml_library) : session_(session) {
  nvml_ = Nvml::Load(nvml_library, &why_no_nvml_);
  if (!nvml_) return;
  CUuuid uuid{};
  if (Outcome got = session.driver().cuDeviceGetUuid(&uuid, session.device()); !got.ok()) {
    why_no_nvml_ = got.Describe();
    return;
  }
  unsigned char bytes[16];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(uuid.bytes[i]);
  if (!nvml_->SelectDevice(bytes, &why_no_nvml_)) return;
  if (nvml_->ProcessMemory(static_cast<unsigned>(getpid())) == kUnavailable) {
    why_no_nvml_ = "NVML does not list this process (inside a container it often cannot)";
  }
}

Outcome Sampler::Take(int64_t cycle, int64_t live_handles, Sample* sample) {
  sample->cycle = cycle;
  const Driver& driver = session_.driver();
  if (Outcome pushed = driver.cuCtxPushCurrent(session_.observer()); !pushed.ok()) return pushed;
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  Outcome read = driver.cuMemGetInfo(&free_bytes, &total_bytes);
  CUcontext popped = nullptr;
  Outcome left = driver.cuCtxPopCurrent(&popped);
  if (!read.ok()) return read;
  if (!left.ok()) return left;
  (*sample)[Resource::kDeviceMemory] = static_cast<int64_t>(total_bytes - free_bytes);
  if (nvml_ != nullptr && why_no_nvml_.empty()) {
    (*sample)[Resource::kProcessDeviceMemory] =
        nvml_->ProcessMemory(static_cast<unsigned>(getpid()));
  }
  ReadProcess(*sample);
  (*sample)[Resource::kHandles] = live_handles;
  return {};
}

std::string Sampler::DriverVersion() const {
  if (nvml_ != nullptr) {
    if (std::string version = nvml_->DriverVersion(); !version.empty()) return version;
  }
  // Drivers install libcuda.so.580.159.04 and link libcuda.so.1 to it.
  const std::string& file = session_.driver().file();
  const size_t at = file.rfind(".so.");
  const std::string suffix = at == std::string::npos ? "" : file.substr(at + 4);
  return suffix.find('.') == std::string::npos ? "" : suffix;
}

}  // namespace culprit::stress
