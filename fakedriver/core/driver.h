// SPDX-License-Identifier: Apache-2.0
//
// The state of the driver in this process. There is one, made on first use and never destroyed,
// because programs call the driver until the very end of the process.
#ifndef FAKEDRIVER_CORE_DRIVER_H_
#define FAKEDRIVER_CORE_DRIVER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/device.h"
#include "fakedriver/core/handle_table.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

enum class Phase : uint8_t {
  kNotInitialized,
  kReady,
  kForkedChild,    // a fork of an initialised process: only the parent may go on
  kDeinitialized,  // the process is exiting
};

class Driver {
 public:
  static Driver& Get();

  Phase phase() const { return phase_.load(std::memory_order_acquire); }
  // Number of this life: counts resets. Stacks of older lives are empty.
  uint64_t life() const { return life_.load(std::memory_order_relaxed); }

  // cuInit. Devices exist from here on; their number and description come from the settings.
  CUresult Initialize(unsigned flags);
  // Back to the state before cuInit. No other thread may be in the driver.
  void Reset();
  // Process exit: every call answers CUDA_ERROR_DEINITIALIZED from now on.
  void Deinitialize();

  uint32_t device_count() const { return static_cast<uint32_t>(devices_.size()); }
  Device* device(int ordinal) {  // null: no such device
    return ordinal >= 0 && static_cast<size_t>(ordinal) < devices_.size() ? devices_[ordinal].get()
                                                                          : nullptr;
  }

  HandleTable& handles() { return handles_; }
  // Live objects that belong to no context: host memory, graphs, user objects.
  ObjectList& unowned() { return unowned_; }
  // Contexts made by cuCtxCreate, dead ones included, and the primary ones.
  std::vector<Ref<Context>> contexts();
  void AddContext(const Ref<Context>& context);

  // A device error that every later call answers. The first one stays.
  CUresult sticky_error() const { return sticky_error_.load(std::memory_order_acquire); }
  void Poison(CUresult error);

  // All live objects, of all contexts and of none.
  std::vector<Ref<Object>> LiveObjects();

 private:
  Driver();

  std::atomic<Phase> phase_{Phase::kNotInitialized};
  std::atomic<uint64_t> life_{1};
  std::atomic<CUresult> sticky_error_{CUDA_SUCCESS};
  std::mutex mutex_;  // guards initialisation and contexts_
  std::vector<std::unique_ptr<Device>> devices_;
  HandleTable handles_;
  ObjectList unowned_;
  std::vector<Ref<Context>> contexts_;
};

// Puts an object under its owner and, when it is named by a handle, into the handle table. Device
// memory and the like set their own handle (an address) and skip the table.
uint64_t Register(const Ref<Object>& object);
void RegisterWithoutCell(const Ref<Object>& object, uint64_t handle);
// The opposite: false when another thread was faster.
bool Unregister(const Ref<Object>& object);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DRIVER_H_
