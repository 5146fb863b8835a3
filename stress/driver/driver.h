// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <memory>
#include <optional>
#include <string>

#include "fakedriver/control/control.h"
#include "stress/driver/fault_switch.h"
#include "stress/driver/outcome.h"

namespace culprit::stress {

template <typename Function>
class Entry;

// One driver function. Calling one that the driver lacks answers `Outcome::Missing`, never a crash;
// an armed fault switch answers for the driver without asking it.
template <typename... Args>
class Entry<CUresult (*)(Args...)> {
 public:
  Outcome operator()(Args... args) const {
    if (function_ == nullptr) return Outcome::Missing(symbol_);
    if (const auto fault = faults_->Draw()) return {symbol_, *fault};
    return {symbol_, function_(args...)};
  }
  explicit operator bool() const { return function_ != nullptr; }

 private:
  friend class Driver;
  void Bind(const char* symbol, void* address, FaultSwitch* faults) {
    symbol_ = symbol;
    function_ = reinterpret_cast<CUresult (*)(Args...)>(address);
    faults_ = faults;
  }

  const char* symbol_ = "";
  CUresult (*function_)(Args...) = nullptr;
  FaultSwitch* faults_ = nullptr;
};

// The driver library of this process. Symbols are looked up under the exact versioned name that
// cuda.h maps a call to, so a driver with another version of an entry is never called wrongly.
//
// Not copied or moved: entries point into it. The library stays loaded until the process ends, as
// CUDA drivers do not survive being unloaded.
class Driver {
 public:
  // `path` as for dlopen. The reason is left in `error` when it returns null.
  static std::unique_ptr<Driver> Load(const std::string& path, std::string* error);

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

#define STRESS_API(name) Entry<decltype(&::name)> name;
#include "stress/driver/driver.def"
#undef STRESS_API

  // cuCtxCreate changed its parameters twice; the oldest form is exported by every driver.
  Outcome CreateContext(CUcontext* context, unsigned flags, CUdevice device) const;

  FaultSwitch& faults() const { return *faults_; }
  // Where the driver is the fake or the interposer: its control table. Null for a vendor's.
  const culprit_control_table* control() const { return control_; }
  // Objects alive in such a driver, of every kind, retains of primary contexts among them.
  std::optional<int64_t> LiveObjects() const;
  // The file that was mapped, symbolic links resolved.
  const std::string& file() const { return file_; }

 private:
  Driver() = default;

  Entry<CUresult (*)(CUcontext*, unsigned, CUdevice)> create_context_;
  std::unique_ptr<FaultSwitch> faults_;
  std::string file_;
  const culprit_control_table* control_ = nullptr;
};

// "CUDA_ERROR_INVALID_VALUE (1)", by the table compiled in here; unknown codes print as numbers.
std::string ResultName(CUresult result);

}  // namespace culprit::stress
