// SPDX-License-Identifier: Apache-2.0
//
// A ring of device pictures. A lease is the right to use one slot; the slot is free again when the
// last copy of the lease is gone, from whichever thread. The ring's owner closes it after every
// lease.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_RING_POOL_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_RING_POOL_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "reference_impl/framework/picture.h"

namespace culprit::reference {

class RingPool;

class PictureLease {
 public:
  PictureLease(RingPool& pool, size_t slot) : pool_(pool), slot_(slot) {}
  ~PictureLease();
  PictureLease(const PictureLease&) = delete;
  PictureLease& operator=(const PictureLease&) = delete;

  const Picture& picture() const;
  // The caller has given the picture back to the session: a fetch may now wait for this slot.
  void MarkSubmitted();

 private:
  RingPool& pool_;
  size_t slot_;
};

class RingPool {
 public:
  // All slots or none. What a failing rollback leaves is released by Close.
  Status Open(const std::shared_ptr<Context>& context, const Geometry& geometry, uint32_t count);

  // Fills the next slot. Waits while a submitted picture is being read; -EBUSY when the caller
  // holds every slot.
  Status Fetch(const FrameView& frame, std::shared_ptr<PictureLease>* lease);

  // Closes the slots that no earlier Close succeeded on. -EBUSY while a lease is out.
  Status Close();
  // Nothing is left: the storage may go.
  bool closed() const;

 private:
  friend class PictureLease;
  enum class Use { kFree, kWithCaller, kSubmitted };
  struct Slot {
    Picture picture;
    Use use = Use::kFree;
    bool closed = false;
  };

  Status TakeSlot(size_t* slot);
  void Return(size_t slot);

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Slot>> slots_;
  size_t next_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_RING_POOL_H_
