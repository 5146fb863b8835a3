// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/event.h"

#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver {

void Event::Record(Stream& stream, Operation operation) {
  Completion point = Enqueue(stream, std::move(operation));
  const uint64_t now = point == nullptr && timed() ? Timeline::Now() : 0;
  std::lock_guard lock(mutex_);
  point_ = std::move(point);
  reached_at_ = now;
  recorded_ = true;
}

bool Event::recorded() const {
  std::lock_guard lock(mutex_);
  return recorded_;
}

Completion Event::point() const {
  std::lock_guard lock(mutex_);
  return IsDone(point_) ? nullptr : point_;
}

uint64_t Event::reached_at() const {
  std::lock_guard lock(mutex_);
  return point_ == nullptr ? reached_at_ : point_->finished_at();
}

}  // namespace culprit::fakedriver
