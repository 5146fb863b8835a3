// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/happens_before.h"

#include <algorithm>

#include "fakedriver/core/context.h"
#include "fakedriver/core/fork_safe.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {
namespace {

thread_local constinit const OrderPoint* current_place = nullptr;

std::mutex& MutexOfAll() { return HappensBefore::Get().mutex(); }

}  // namespace

uint64_t Clock::Of(uint64_t stream) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{stream, 0});
  return at != entries_.end() && at->first == stream ? at->second : 0;
}

void Clock::Raise(uint64_t stream, uint64_t number) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{stream, 0});
  if (at != entries_.end() && at->first == stream) {
    at->second = std::max(at->second, number);
  } else {
    entries_.insert(at, {stream, number});
  }
}

void Clock::Join(const Clock& other) {
  for (const auto& [stream, number] : other.entries_) Raise(stream, number);
}

std::atomic<bool> HappensBefore::following_{false};

// Never destroyed: the driver is called until the process ends.
HappensBefore& HappensBefore::Get() {
  static HappensBefore* all = [] {
    TakeAroundForks<MutexOfAll>();
    return new HappensBefore;
  }();
  return *all;
}

Clock OrderPoint::Through() const {
  Clock through = *before;
  through.Raise(stream, number);
  return through;
}

void HappensBefore::StreamAppears(const Stream& stream) {
  if (Follows() || !CurrentSettings().checks.stream_races) return;
  std::lock_guard lock(mutex_);
  if (stream.role() == Stream::Role::kLegacyDefault) {
    legacy_ = true;
  } else {
    ++named_;
    non_blocking_ |= !stream.blocking();
  }
  // Blocking streams and the legacy one take turns.
  if (named_ >= 2 || (legacy_ && non_blocking_)) following_.store(true, std::memory_order_relaxed);
}

void HappensBefore::StreamGoes(const Stream& stream) {
  if (!Follows()) return;
  std::lock_guard lock(mutex_);
  if (!streams_.contains(stream.id())) return;
  gone_.push_back(stream.id());
  ForgetEnded();
}

void HappensBefore::ContextGoes(const Context& context, const std::vector<Ref<Stream>>& streams) {
  std::lock_guard lock(mutex_);
  const auto order = contexts_.find(&context);
  if (order == contexts_.end()) return;
  Join(host_, order->second.all);
  contexts_.erase(order);
  for (const Ref<Stream>& stream : streams) {
    // A primary context may come back, and its legacy default stream with it.
    const bool comes_back = context.primary() && stream->role() == Stream::Role::kLegacyDefault;
    const bool known = std::find(gone_.begin(), gone_.end(), stream->id()) != gone_.end();
    if (!comes_back && !known && streams_.contains(stream->id())) gone_.push_back(stream->id());
  }
  ForgetEnded();
}

OrderPoint HappensBefore::Queue(Stream& stream) {
  std::lock_guard lock(mutex_);
  Place& place = streams_[stream.id()];
  OfContext& context = contexts_[stream.context()];
  place.after.Join(host_);
  place.after.Join(context.barrier);
  const bool legacy = stream.role() == Stream::Role::kLegacyDefault;
  // CUDA driver API, stream synchronization behaviour: see Stream::AddDefaultStreamOrder.
  if (stream.blocking()) place.after.Join(legacy ? context.blocking : context.legacy);
  OrderPoint point{.stream = stream.id(),
                   .number = ++place.last,
                   .serial = legacy ? 0 : stream.serial(),
                   .before = std::make_shared<const Clock>(place.after)};
  place.after.Raise(point.stream, point.number);
  context.all.Join(place.after);
  if (stream.blocking()) context.blocking.Join(place.after);
  if (legacy) context.legacy = place.after;
  return point;
}

Clock HappensBefore::EndLocked(const Stream& stream) {
  const auto place = streams_.find(stream.id());
  Clock end = place == streams_.end() ? Clock() : place->second.after;
  if (stream.role() == Stream::Role::kLegacyDefault) end.Join(contexts_[stream.context()].blocking);
  return end;
}

Clock HappensBefore::EndOf(const Stream& stream) {
  if (!Follows()) return {};
  std::lock_guard lock(mutex_);
  return EndLocked(stream);
}

Clock HappensBefore::EndOf(const Context& context) {
  if (!Follows()) return {};
  std::lock_guard lock(mutex_);
  return contexts_[&context].all;
}

Clock HappensBefore::Everything() {
  if (!Follows()) return {};
  std::lock_guard lock(mutex_);
  Clock all;
  for (const auto& [context, order] : contexts_) all.Join(order.all);
  return all;
}

void HappensBefore::Join(Clock& clock, Clock earlier) const {
  earlier.Forget([&](uint64_t id) { return Forgotten(id); });
  clock.Join(earlier);
}

void HappensBefore::After(const Stream& stream, const Clock& earlier) {
  if (earlier.empty()) return;
  std::lock_guard lock(mutex_);
  Join(streams_[stream.id()].after, earlier);
}

void HappensBefore::After(const Context& context, const Clock& earlier) {
  if (earlier.empty()) return;
  std::lock_guard lock(mutex_);
  Join(contexts_[&context].barrier, earlier);
}

void HappensBefore::HostKnows(const Clock& over) {
  if (over.empty()) return;
  std::lock_guard lock(mutex_);
  Join(host_, over);
  ForgetEnded();
}

void HappensBefore::SawOutside() {
  if (!Follows()) return;
  std::lock_guard lock(mutex_);
  for (const auto& [context, order] : contexts_) outside_.Join(order.all);
}

bool HappensBefore::Before(const OrderPoint& earlier, const OrderPoint& later) const {
  if (earlier.stream == later.stream) return earlier.number < later.number;
  return later.before->Of(earlier.stream) >= earlier.number;
}

bool HappensBefore::Ordered(const OrderPoint& one, const OrderPoint& other) const {
  if (one.stream == other.stream) return true;
  return Before(one, other) || Before(other, one) || outside_.Of(one.stream) >= one.number ||
         outside_.Of(other.stream) >= other.number;
}

template <typename Visit>
void HappensBefore::ForEachClock(Visit visit) {
  visit(host_);
  visit(outside_);
  for (auto& [id, place] : streams_) visit(place.after);
  for (auto& [context, order] : contexts_) {
    for (Clock* clock : {&order.all, &order.blocking, &order.legacy, &order.barrier}) visit(*clock);
  }
}

// A program that makes and destroys streams for ever must not make clocks longer for ever.
void HappensBefore::ForgetEnded() {
  if (gone_.empty()) return;
  const auto over = [&](uint64_t id) { return host_.Of(id) >= streams_[id].last; };
  const auto ended =
      std::partition(gone_.begin(), gone_.end(), [&](uint64_t id) { return !over(id); });
  if (ended == gone_.end()) return;
  const std::vector<uint64_t> forgotten(ended, gone_.end());
  gone_.erase(ended, gone_.end());
  for (uint64_t id : forgotten) streams_.erase(id);
  ForEachClock([&](Clock& clock) {
    clock.Forget([&](uint64_t id) {
      return std::find(forgotten.begin(), forgotten.end(), id) != forgotten.end();
    });
  });
}

void HappensBefore::Reset() {
  std::lock_guard lock(mutex_);
  following_.store(false, std::memory_order_relaxed);
  named_ = 0;
  legacy_ = non_blocking_ = false;
  streams_.clear();
  contexts_.clear();
  gone_.clear();
  host_ = outside_ = {};
}

const OrderPoint* CurrentPlace() { return current_place; }

RunsAt::RunsAt(const OrderPoint& place) : outer_(current_place) {
  current_place = place.followed() ? &place : nullptr;
}

RunsAt::~RunsAt() { current_place = outer_; }

}  // namespace culprit::fakedriver
