// SPDX-License-Identifier: Apache-2.0
//
// The state of the driver in this process. There is one, made on first use and never destroyed,
// because programs call the driver until the very end of the process.
#ifndef FAKEDRIVER_CORE_DRIVER_H_
#define FAKEDRIVER_CORE_DRIVER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/device.h"
#include "fakedriver/core/handle_table.h"
#include "fakedriver/core/life.h"
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
  uint64_t life() const { return DriverLife(); }

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

  // A destroying call came when the driver was gone already: what it was meant for is no leak of
  // whoever made it.
  void NoteTeardownAfterExit(Family family);
  uint32_t TeardownsAfterExit(Family family) const;

  // A child of a fork runs here, in the child.
  void BecomeForkedChild();

  // All live objects, of all contexts and of none.
  std::vector<Ref<Object>> LiveObjects();

 private:
  Driver();

  std::atomic<Phase> phase_{Phase::kNotInitialized};
  std::atomic<CUresult> sticky_error_{CUDA_SUCCESS};
  std::mutex mutex_;  // guards initialisation and contexts_
  std::vector<std::unique_ptr<Device>> devices_;
  HandleTable handles_;
  ObjectList unowned_;
  std::vector<Ref<Context>> contexts_;
  std::array<std::atomic<uint32_t>, kFamilyCount> late_teardowns_{};
  bool exit_registered_ = false;
};

// Puts a live object under its owner (a context, or the process) and gives it a handle.
uint64_t Register(const Ref<Object>& object);
// The same for what is named by an address: device memory, host memory.
void RegisterWithoutCell(const Ref<Object>& object, uint64_t address);
// Ends the object; its record keeps the call. False when another thread was faster.
bool Unregister(const Ref<Object>& object);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DRIVER_H_
