// SPDX-License-Identifier: Apache-2.0
#include "stress/sample/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "stress/sample/nvml_abi.h"
#include "stress/sample/resource.h"

namespace culprit::stress {

struct Nvml::Functions {
  NvmlInit init = nullptr;
  NvmlShutdown shutdown = nullptr;
  NvmlDriverVersion driver_version = nullptr;
  NvmlDeviceByUuid device_by_uuid = nullptr;
  NvmlComputeProcesses compute_processes = nullptr;
};

namespace {

template <typename Function>
bool Find(void* library, const char* symbol, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, symbol));
  return *function != nullptr;
}

// More processes than this on one GPU, and the figure counts as withheld.
constexpr unsigned kMostProcesses = 256;

}  // namespace

Nvml::Nvml() : functions_(std::make_unique<Functions>()) {}

Nvml::~Nvml() {
  if (functions_->shutdown != nullptr) functions_->shutdown();
}

std::unique_ptr<Nvml> Nvml::Load(const std::string& path, std::string* why) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    *why = fmt::format("{} cannot be loaded", path);
    return nullptr;
  }
  std::unique_ptr<Nvml> nvml(new Nvml);
  Functions& functions = *nvml->functions_;
  if (!Find(library, "nvmlInit_v2", &functions.init) ||
      !Find(library, "nvmlDeviceGetHandleByUUID", &functions.device_by_uuid) ||
      !Find(library, "nvmlDeviceGetComputeRunningProcesses_v3", &functions.compute_processes)) {
    *why = fmt::format("{} lacks a function that is needed (it is older than driver 510)", path);
    return nullptr;
  }
  if (const int result = functions.init(); result != kNvmlSuccess) {
    *why = fmt::format("nvmlInit_v2 returned {}", result);
    return nullptr;
  }
  Find(library, "nvmlShutdown", &functions.shutdown);
  Find(library, "nvmlSystemGetDriverVersion", &functions.driver_version);
  return nvml;
}

bool Nvml::SelectDevice(const unsigned char (&uuid)[16], std::string* why) {
  std::string text = "GPU-";
  for (size_t i = 0; i < sizeof uuid; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  const int result = functions_->device_by_uuid(text.c_str(), &device_);
  if (result == kNvmlSuccess) return true;
  device_ = nullptr;
  *why = fmt::format("NVML does not know {} (result {})", text, result);
  return false;
}

int64_t Nvml::ProcessMemory(unsigned pid) const {
  if (device_ == nullptr) return kUnavailable;
  // In place: a sampler must not touch the heap.
  static thread_local std::array<NvmlProcess, kMostProcesses> processes;
  unsigned count = kMostProcesses;
  if (functions_->compute_processes(device_, &count, processes.data()) != kNvmlSuccess) {
    return kUnavailable;
  }
  for (unsigned i = 0; i < count && i < kMostProcesses; ++i) {
    if (processes[i].pid != pid) continue;
    if (processes[i].used_bytes == kNvmlWithheld) return kUnavailable;
    return static_cast<int64_t>(processes[i].used_bytes);
  }
  return kUnavailable;
}

std::string Nvml::DriverVersion() const {
  std::array<char, 96> text{};
  if (functions_->driver_version == nullptr ||
      functions_->driver_version(text.data(), text.size()) != kNvmlSuccess) {
    return {};
  }
  text.back() = '\0';
  return text.data();
}

}  // namespace culprit::stress
