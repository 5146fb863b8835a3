// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/event.h"

#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver {

void Event::Record(Stream& stream, Operation operation) {
  SetPoint(Enqueue(stream, std::move(operation)));
}

void Event::SetPoint(Completion point) {
  const uint64_t now = point == nullptr && timed() ? Timeline::Now() : 0;
  std::lock_guard lock(mutex_);
  point_ = std::move(point);
  reached_at_ = now;
  recorded_ = true;
  captured_.reset();
}

void Event::SetCapturedPoint(std::shared_ptr<const CapturedPoint> point) {
  std::lock_guard lock(mutex_);
  captured_ = std::move(point);
}

std::shared_ptr<const CapturedPoint> Event::captured_point() const {
  std::lock_guard lock(mutex_);
  return captured_;
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
