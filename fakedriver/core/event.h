// SPDX-License-Identifier: Apache-2.0
//
// An event marks a point in a stream: recording captures the end of what is queued there at that
// moment. A wait that was made for the event keeps what it captured, whatever becomes of the event
// afterwards.
#ifndef FAKEDRIVER_CORE_EVENT_H_
#define FAKEDRIVER_CORE_EVENT_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "fakedriver/core/object.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

struct CapturedPoint;  // core/capture.h

class Event final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kEvent;

  Event(Context& context, unsigned flags) : Object(kKind, &context), flags_(flags) {}

  unsigned flags() const { return flags_; }
  bool timed() const { return (flags_ & CU_EVENT_DISABLE_TIMING) == 0; }

  // `operation`: what the stream is to do at that point, nothing as a rule.
  void Record(Stream& stream, Operation operation = {});
  // The event stands for this point, without work of its own.
  void SetPoint(Completion point);
  bool recorded() const;
  // Recorded in a stream that captured: it stands for nodes of that capture, which may be over.
  void SetCapturedPoint(std::shared_ptr<const CapturedPoint> point);
  std::shared_ptr<const CapturedPoint> captured_point() const;  // null: not so

  // The captured point; null when it was reached, or was never recorded.
  Completion point() const;
  // Host time in nanoseconds at which the captured point was reached. Only when it was.
  uint64_t reached_at() const;

 private:
  const unsigned flags_;
  mutable std::mutex mutex_;  // guards what follows
  Completion point_;
  uint64_t reached_at_ = 0;
  bool recorded_ = false;
  std::shared_ptr<const CapturedPoint> captured_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_EVENT_H_
