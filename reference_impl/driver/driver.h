// SPDX-License-Identifier: Apache-2.0
//
// The driver as loaded: a table of functions found in libcuda.so.1 at run time, so that the library
// starts on machines without a GPU and links against nothing of NVIDIA's.
//
// Every owner of a device object shares the table (through its context), so it is unloaded after
// the last of them is gone and a close that failed still has the functions its retry needs.
#ifndef CULPRIT_REFERENCE_IMPL_DRIVER_DRIVER_H_
#define CULPRIT_REFERENCE_IMPL_DRIVER_DRIVER_H_

#include <memory>

#include <cuda.h>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

template <typename Signature>
class Entry;

// One function of the driver, with the name to report when it fails.
template <typename... Args>
class Entry<CUresult(Args...)> {
 public:
  using Function = CUresult (*)(Args...);

  void Bind(Function function, const char* name) {
    function_ = function;
    name_ = name;
  }
  Status operator()(Args... args) const {
    const CUresult result = function_(args...);
    return result == CUDA_SUCCESS ? Status() : DriverFailure(result, name_);
  }

 private:
  Function function_ = nullptr;
  const char* name_ = "";
};

class Driver {
 public:
  // -ENOENT (host): no library; -ENOSYS (host): a function is missing from it. Nothing stays loaded
  // then.
  static Status Load(std::shared_ptr<const Driver>* driver);

  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

#define REFERENCE_ENTRY(name) Entry<decltype(::name)> name;
#include "reference_impl/driver/entries.def"
#undef REFERENCE_ENTRY

 private:
  Driver() = default;
  Status Bind();

  void* library_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_DRIVER_DRIVER_H_
