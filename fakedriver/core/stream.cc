// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/stream.h"

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver {
namespace {

std::atomic<uint64_t> last_stream_id{0};

}  // namespace

Stream::Stream(Context& context, Role role, unsigned flags, int priority)
    : Object(ObjectKind::kStream, &context),
      role_(role),
      flags_(flags),
      priority_(priority),
      id_(last_stream_id.fetch_add(1, std::memory_order_relaxed) + 1),
      thread_(role == Role::kPerThreadDefault ? ThisThread().ordinal : 0) {}

Stream::~Stream() = default;

bool Stream::blocking() const { return (flags_ & CU_STREAM_NON_BLOCKING) == 0; }

Completion Stream::tail() const {
  std::lock_guard lock(mutex_);
  return tail_;
}

std::vector<Completion> Stream::tails() {
  std::vector<Completion> tails;
  if (context()->pending.load(std::memory_order_acquire) == 0) return tails;
  if (Completion own = tail()) tails.push_back(std::move(own));
  if (role_ != Role::kLegacyDefault) return tails;
  for (const Ref<Stream>& other : context()->streams()) {
    if (other.get() == this || !other->blocking()) continue;
    if (Completion end = other->tail()) tails.push_back(std::move(end));
  }
  return tails;
}

// CUDA driver API, stream synchronization behaviour: work in the legacy default stream waits for
// all blocking streams of its context, and their later work waits for it.
void Stream::AddDefaultStreamOrder(Operation& operation) {
  context()->AddBarriersTo(operation);
  if (!blocking() || context()->pending.load(std::memory_order_acquire) == 0) return;
  if (role_ == Role::kLegacyDefault) {
    for (Completion& end : tails()) operation.predecessors.push_back(std::move(end));
  } else if (Completion end = context()->legacy_stream().tail()) {
    operation.predecessors.push_back(std::move(end));
  }
}

std::shared_ptr<Capture> Stream::capture() const {
  if (!capturing()) return nullptr;
  std::lock_guard lock(mutex_);
  return capture_;
}

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  std::lock_guard lock(mutex_);
  capture_ = std::move(capture);
  capturing_.store(capture_ != nullptr, std::memory_order_release);
}

std::map<int, CUlaunchAttributeValue> Stream::Attributes() const {
  std::lock_guard lock(mutex_);
  return attributes_;
}

void Stream::SetAttributes(std::map<int, CUlaunchAttributeValue> attributes) {
  std::lock_guard lock(mutex_);
  attributes_ = std::move(attributes);
}

void Stream::DropQueue() {
  std::deque<Queued> dropped;  // its operations end after the lock is released
  std::lock_guard lock(mutex_);
  dropped.swap(queue_);
  for (Queued& queued : dropped) queued.completion->done_.store(1, std::memory_order_release);
  tail_.reset();
  context()->pending.fetch_sub(static_cast<uint32_t>(dropped.size()), std::memory_order_relaxed);
  changed_.notify_all();
}

Completion Enqueue(Stream& stream, Operation operation) {
  return Timeline::Get().Enqueue(stream, std::move(operation));
}

void WaitFor(const Completion& completion) { Timeline::Get().WaitFor(completion); }

void WaitFor(Stream& stream) {
  HappensBefore& order = HappensBefore::Get();
  const Clock over = order.EndOf(stream);
  for (const Completion& end : stream.tails()) WaitFor(end);
  order.HostKnows(over);
}

bool Query(const Completion& completion) { return Timeline::Get().Query(completion); }

bool Query(Stream& stream) {
  HappensBefore& order = HappensBefore::Get();
  const Clock over = order.EndOf(stream);
  bool all = true;
  for (const Completion& end : stream.tails()) all = Query(end) && all;
  if (all) order.HostKnows(over);
  return all;
}

}  // namespace culprit::fakedriver
