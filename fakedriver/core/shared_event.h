// SPDX-License-Identifier: Apache-2.0
//
// The state of an event that several processes have: how often it was recorded, and which of the
// records were reached. A wait remembers the newest record at the time it is made.
#ifndef FAKEDRIVER_CORE_SHARED_EVENT_H_
#define FAKEDRIVER_CORE_SHARED_EVENT_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "fakedriver/core/shared_file.h"

namespace culprit::fakedriver {

class SharedEvent {
 public:
  // Null when the system refuses.
  static std::shared_ptr<SharedEvent> Create();
  // Null when the process that made it is gone, or has destroyed it.
  static std::shared_ptr<SharedEvent> Open(const SharedFileName& name);
  explicit SharedEvent(SharedFile file);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent();

  SharedFileName name() const { return file_.name(); }

  // A record is queued, in whatever process; its number.
  uint64_t Recorded() { return state_->recorded.fetch_add(1, std::memory_order_acq_rel) + 1; }
  void Reached(uint64_t record);

  // 0: never recorded.
  uint64_t newest() const { return state_->recorded.load(std::memory_order_acquire); }
  bool reached(uint64_t record) const {
    return state_->reached.load(std::memory_order_acquire) >= record;
  }

 private:
  struct State {
    std::atomic<uint64_t> recorded;
    std::atomic<uint64_t> reached;
  };

  SharedFile file_;
  State* state_ = nullptr;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_SHARED_EVENT_H_
