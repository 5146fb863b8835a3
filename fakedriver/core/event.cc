// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/event.h"

#include "fakedriver/core/context.h"
#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver {

void Event::Record(Stream& stream, Operation operation) {
  if (const uint64_t mark = stream.context()->given_up_mark(); mark != 0) {
    std::lock_guard lock(mutex_);
    stream_ = Ref<Stream>(&stream);
    given_up_mark_ = mark;
  }
  if (shared_ == nullptr) {
    Completion point = Enqueue(stream, std::move(operation));
    SetPoint(std::move(point), HappensBefore::Get().EndOf(stream));
    return;
  }
  const uint64_t record = shared_->Recorded();
  operation.after_error = true;  // other processes do not wait for ever
  operation.body = [body = std::move(operation.body), shared = shared_, record] {
    const CUresult result = body ? body() : CUDA_SUCCESS;
    shared->Reached(record);
    return result;
  };
  Completion point = Enqueue(stream, std::move(operation));
  SetPoint(std::move(point), HappensBefore::Get().EndOf(stream));
  std::lock_guard lock(mutex_);
  own_record_ = record;
}

void Event::SetPoint(Completion point, Clock before) {
  const uint64_t now = point == nullptr && timed() ? Timeline::Now() : 0;
  std::lock_guard lock(mutex_);
  point_ = std::move(point);
  before_ = std::move(before);
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
  if (shared_ != nullptr) return shared_->newest() != 0;
  std::lock_guard lock(mutex_);
  return recorded_;
}

Completion Event::point() const {
  std::lock_guard lock(mutex_);
  if (shared_ == nullptr) return IsDone(point_) ? nullptr : point_;
  const uint64_t newest = shared_->newest();
  if (shared_->reached(newest)) return nullptr;
  return newest == own_record_ && !IsDone(point_) ? point_ : PointElsewhere(newest);
}

Completion Event::PointElsewhere(uint64_t record) const {
  if (elsewhere_record_ != record) {
    const Ref<Stream> waiting =
        Make<Stream>(*context(), Stream::Role::kCreated, unsigned{CU_STREAM_NON_BLOCKING}, 0);
    Operation wait;
    wait.ready = [shared = shared_, record] { return shared->reached(record); };
    elsewhere_ = Enqueue(*waiting, std::move(wait));
    context()->KeepElsewhere(waiting);
    elsewhere_record_ = record;
  }
  return IsDone(elsewhere_) ? nullptr : elsewhere_;
}

Clock Event::before() const {
  if (!HappensBefore::Follows()) return {};
  {
    std::lock_guard lock(mutex_);
    if (shared_ == nullptr || shared_->newest() == own_record_) return before_;
  }
  // The other process may have waited for anything of this one.
  return HappensBefore::Get().Everything();
}

void Event::TakeGivenUp() const {
  if (context()->given_up_mark() == 0) return;
  Ref<Stream> stream;
  uint64_t mark = 0;
  {
    std::lock_guard lock(mutex_);
    stream = stream_;
    mark = given_up_mark_;
  }
  if (stream) stream->context()->TakeGivenUp(*stream, mark);
}

uint64_t Event::reached_at() const {
  std::lock_guard lock(mutex_);
  return point_ == nullptr ? reached_at_ : point_->finished_at();
}

}  // namespace culprit::fakedriver
