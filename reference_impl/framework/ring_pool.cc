// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/ring_pool.h"

#include <algorithm>
#include <cerrno>

namespace culprit::reference {

PictureLease::~PictureLease() { pool_.Return(slot_); }

const Picture& PictureLease::picture() const { return pool_.slots_[slot_]->picture; }

void PictureLease::MarkSubmitted() {
  const std::lock_guard lock(pool_.mutex_);
  pool_.slots_[slot_]->use = RingPool::Use::kSubmitted;
}

Status RingPool::Open(const std::shared_ptr<Context>& context, const Geometry& geometry,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    Status opened = slots_.back()->picture.Open(context, geometry);
    if (opened.ok()) continue;
    // The creation's error is the one to report; what the rollback leaves stays for Close.
    static_cast<void>(Close());
    return opened;
  }
  return Status();
}

Status RingPool::TakeSlot(size_t* slot) {
  std::unique_lock lock(mutex_);
  for (size_t skipped = 0; skipped < slots_.size(); ++skipped) {
    const size_t candidate = next_;
    next_ = (next_ + 1) % slots_.size();
    Slot& wanted = *slots_[candidate];
    if (wanted.use == Use::kWithCaller) continue;
    returned_.wait(lock, [&] { return wanted.use == Use::kFree; });
    wanted.use = Use::kWithCaller;
    *slot = candidate;
    return Status();
  }
  return ExtractorFailure(-EBUSY, "every picture of the ring is fetched and none submitted");
}

Status RingPool::Fetch(const FrameView& frame, std::shared_ptr<PictureLease>* lease) {
  size_t slot = 0;
  Status taken = TakeSlot(&slot);
  if (!taken.ok()) return taken;
  auto fetched = std::make_shared<PictureLease>(*this, slot);
  Status uploaded = slots_[slot]->picture.Upload(frame);
  if (!uploaded.ok()) return uploaded;
  *lease = std::move(fetched);
  return Status();
}

void RingPool::Return(size_t slot) {
  {
    const std::lock_guard lock(mutex_);
    slots_[slot]->use = Use::kFree;
  }
  returned_.notify_all();
}

Status RingPool::Close() {
  FirstError first;
  const std::lock_guard lock(mutex_);
  for (const auto& slot : slots_) {
    if (slot->use != Use::kFree) return ExtractorFailure(-EBUSY, "a picture of the ring is in use");
  }
  for (const auto& slot : slots_) {
    if (slot->closed) continue;
    slot->closed = first.Note(slot->picture.Close());
  }
  return first.Take();
}

bool RingPool::closed() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->closed; });
}

}  // namespace culprit::reference
