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
#include <utility>

#include "fakedriver/core/object.h"
#include "fakedriver/core/shared_event.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

struct CapturedPoint;  // core/capture.h

class Event final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kEvent;

  // `shared`: the state it has in common with other processes, or null.
  Event(Context& context, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : Object(kKind, &context), flags_(flags), shared_(std::move(shared)) {}

  unsigned flags() const { return flags_; }
  bool timed() const { return (flags_ & CU_EVENT_DISABLE_TIMING) == 0; }

  const std::shared_ptr<SharedEvent>& shared() const { return shared_; }
  // Made by another process. Said once, before anybody else knows the event.
  bool imported() const { return imported_; }
  void set_imported() { imported_ = true; }

  // `operation`: what the stream is to do at that point, nothing as a rule.
  void Record(Stream& stream, Operation operation = {});
  // The event stands for this point, without work of its own.
  void SetPoint(Completion point, Clock before);
  bool recorded() const;
  // Recorded in a stream that captured: it stands for nodes of that capture, which may be over.
  void SetCapturedPoint(std::shared_ptr<const CapturedPoint> point);
  std::shared_ptr<const CapturedPoint> captured_point() const;  // null: not so

  // The captured point; null when it was reached, or was never recorded. A point in another process
  // is stood for by an operation that waits for it.
  Completion point() const;
  // What is over once the captured point is reached (core/happens_before.h).
  Clock before() const;
  // The program has waited for the captured point: what cuMemFreeAsync gave up before it goes.
  void TakeGivenUp() const;
  // Host time in nanoseconds at which the captured point was reached. Only when it was.
  uint64_t reached_at() const;

 private:
  Completion PointElsewhere(uint64_t record) const;

  const unsigned flags_;
  const std::shared_ptr<SharedEvent> shared_;
  bool imported_ = false;
  mutable std::mutex mutex_;  // guards what follows
  Completion point_;
  Clock before_;
  uint64_t own_record_ = 0;  // of a shared event: the number of the newest record made here
  mutable Completion elsewhere_;
  mutable uint64_t elsewhere_record_ = 0;
  uint64_t reached_at_ = 0;
  Ref<Stream> stream_;          // where it was recorded last, if memory had been given up before
  uint64_t given_up_mark_ = 0;  // Context::given_up_mark then
  bool recorded_ = false;
  std::shared_ptr<const CapturedPoint> captured_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_EVENT_H_
