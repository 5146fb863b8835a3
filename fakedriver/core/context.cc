// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/context.h"

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/happens_before.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

std::atomic<uint64_t> last_context_id{0};

}  // namespace

Context::Context(Device& device, bool primary, unsigned flags)
    : Object(ObjectKind::kContext, nullptr),
      device_(device),
      primary_(primary),
      id_(last_context_id.fetch_add(1, std::memory_order_relaxed) + 1),
      epoch_(primary ? 0 : 1),
      flags_(flags),
      legacy_(Make<Stream>(*this, Stream::Role::kLegacyDefault, 0u, 0)) {
  ResetSettings();
  if (primary) StartDead();
}

Context::~Context() = default;

void Context::ResetSettings() {
  for (uint32_t i = 0; i < kLimits; ++i) {
    const auto& known = device_.description().limits;
    const auto found = known.find(static_cast<int>(i));
    limits[i].store(found == known.end() ? kNoLimit : found->second, std::memory_order_relaxed);
  }
  cache_config.store(0, std::memory_order_relaxed);
  shared_config.store(0, std::memory_order_relaxed);
}

Ref<Stream> Context::per_thread_stream() {
  const uint32_t thread = ThisThread().ordinal;
  std::lock_guard lock(streams_mutex_);
  Ref<Stream>& stream = per_thread_[thread];
  if (!stream) {
    stream = Make<Stream>(*this, Stream::Role::kPerThreadDefault, 0u, 0);
    HappensBefore::Get().StreamAppears(*stream);
  }
  return stream;
}

std::vector<Ref<Stream>> Context::streams() const {
  std::lock_guard lock(streams_mutex_);
  std::vector<Ref<Stream>> all = streams_;
  all.push_back(legacy_);
  for (const auto& [thread, stream] : per_thread_) all.push_back(stream);
  all.insert(all.end(), retired_.begin(), retired_.end());
  return all;
}

void Context::AddStream(const Ref<Stream>& stream) {
  std::lock_guard lock(streams_mutex_);
  stream->set_slot(streams_.size());
  streams_.push_back(stream);
  HappensBefore::Get().StreamAppears(*stream);
}

void Context::RetireStream(Stream& stream) {
  HappensBefore::Get().StreamGoes(stream);
  std::lock_guard lock(streams_mutex_);
  std::erase_if(retired_, [](const Ref<Stream>& old) { return old->tail() == nullptr; });
  const size_t slot = stream.slot();
  if (slot >= streams_.size() || streams_[slot].get() != &stream) return;
  if (stream.tail() != nullptr) retired_.push_back(streams_[slot]);
  streams_[slot] = streams_.back();
  streams_[slot]->set_slot(slot);
  streams_.pop_back();
}

void Context::KeepUntilDone(const Ref<Stream>& stream) {
  std::lock_guard lock(streams_mutex_);
  std::erase_if(retired_, [](const Ref<Stream>& old) { return old->tail() == nullptr; });
  if (stream->tail() != nullptr) retired_.push_back(stream);
}

void Context::KeepElsewhere(const Ref<Stream>& stream) {
  std::lock_guard lock(streams_mutex_);
  std::erase_if(elsewhere_, [](const Ref<Stream>& old) { return old->tail() == nullptr; });
  if (stream->tail() != nullptr) elsewhere_.push_back(stream);
}

bool Context::AddPeer(uint64_t serial) {
  std::lock_guard lock(streams_mutex_);
  return peers_.insert(serial).second;
}

bool Context::RemovePeer(uint64_t serial) {
  std::lock_guard lock(streams_mutex_);
  return peers_.erase(serial) != 0;
}

void Context::AddBarrier(Completion completion) {
  std::lock_guard lock(streams_mutex_);
  barriers_.push_back(std::move(completion));
  has_barriers_.store(true, std::memory_order_release);
}

void Context::AddBarriersTo(Operation& operation) {
  if (!has_barriers_.load(std::memory_order_acquire)) return;
  std::lock_guard lock(streams_mutex_);
  std::erase_if(barriers_, IsDone);
  has_barriers_.store(!barriers_.empty(), std::memory_order_release);
  operation.predecessors.insert(operation.predecessors.end(), barriers_.begin(), barriers_.end());
}

void Context::GiveUp(Stream& stream, const Ref<Allocation>& memory) {
  std::lock_guard lock(streams_mutex_);
  const uint64_t mark = given_up_mark_.fetch_add(1, std::memory_order_acq_rel) + 1;
  given_up_.push_back({Ref<Stream>(&stream), memory, mark});
}

void Context::TakeGivenUp(const Stream& stream, uint64_t mark) {
  if (given_up_mark() == 0) return;
  const bool legacy = stream.role() == Stream::Role::kLegacyDefault;
  std::vector<Ref<Allocation>> gone;
  {
    std::lock_guard lock(streams_mutex_);
    std::erase_if(given_up_, [&](const GivenUp& entry) {
      const bool waited_for = entry.stream.get() == &stream || (legacy && entry.stream->blocking());
      if (!waited_for || entry.mark > mark) return false;
      gone.push_back(entry.memory);
      return true;
    });
  }
  for (const Ref<Allocation>& memory : gone) ReleaseGivenUp(*memory);
}

void Context::TakeAllGivenUp(bool of_destroyed_streams) {
  if (given_up_mark() == 0) return;
  std::vector<Ref<Allocation>> gone;
  {
    std::lock_guard lock(streams_mutex_);
    std::erase_if(given_up_, [&](const GivenUp& entry) {
      if (!of_destroyed_streams && !entry.stream->alive()) return false;
      gone.push_back(entry.memory);
      return true;
    });
  }
  for (const Ref<Allocation>& memory : gone) ReleaseGivenUp(*memory);
}

void Context::Synchronize() {
  HappensBefore& order = HappensBefore::Get();
  const Clock over = order.EndOf(*this);
  if (pending.load(std::memory_order_acquire) != 0) {
    for (const Ref<Stream>& stream : streams()) {
      if (const Completion end = stream->tail()) WaitFor(end);
    }
  }
  order.HostKnows(over);
}

bool Context::Destroy(std::vector<ObjectRecord>* reclaimed) {
  if (!alive()) return false;
  Synchronize();
  if (HappensBefore::Follows()) HappensBefore::Get().ContextGoes(*this, streams());
  HandleTable& handles = Driver::Get().handles();
  if (!handles.Remove(Ref<Object>(this))) return false;
  for (const Ref<Stream>& stream : streams()) Capture::Forget(*stream);
  for (const Ref<Object>& object : objects_.TakeAll()) {
    if (object->OutlivesContext()) {
      ObjectList& unowned = Driver::Get().unowned();
      object->LeaveContext();
      unowned.Add(*object);
      if (!object->alive()) unowned.Remove(*object);  // ended by another thread meanwhile
      continue;
    }
    if (!handles.Remove(object, true)) continue;
    object->OnContextGone();
    reclaimed->push_back(object->record());
  }
  TakeAllGivenUp(true);
  std::lock_guard lock(streams_mutex_);
  if (primary_) set_flags(0);
  peers_.clear();
  barriers_.clear();
  streams_.clear();
  per_thread_.clear();
  retired_.clear();
  return true;
}

void Context::Activate(unsigned flags) {
  ResetSettings();
  // As recorded: a primary context always maps host memory, and says so.
  set_flags(flags | CU_CTX_MAP_HOST);
  record().created = RecordOfCall();
  record().destroyed = {};
  epoch_.fetch_add(1, std::memory_order_acq_rel);
  Revive();
  Driver::Get().handles().Revive(handle());
}

void Context::DropWork() {
  std::vector<Ref<Stream>> all = streams();
  {
    std::lock_guard lock(streams_mutex_);
    all.insert(all.end(), elsewhere_.begin(), elsewhere_.end());
  }
  for (const Ref<Stream>& stream : all) stream->DropQueue();
}

}  // namespace culprit::fakedriver
