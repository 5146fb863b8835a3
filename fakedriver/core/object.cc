// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/object.h"

#include <array>
#include <thread>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/context.h"

namespace culprit::fakedriver {
namespace {

std::array<std::atomic<uint64_t>, static_cast<size_t>(ObjectKind::kCount)> serials;

}  // namespace

const char* KindName(ObjectKind kind) {
  constexpr std::array names = {"context",
                                "stream",
                                "event",
                                "module",
                                "function",
                                "library",
                                "kernel",
                                "link state",
                                "allocation",
                                "host block",
                                "managed block",
                                "pool",
                                "array",
                                "mipmapped array",
                                "texture reference",
                                "texture object",
                                "surface object",
                                "address reservation",
                                "physical memory",
                                "mapping",
                                "graph",
                                "graph node",
                                "executable graph",
                                "user object",
                                "primary retain",
                                "object"};
  static_assert(names.size() == static_cast<size_t>(ObjectKind::kCount));
  return names[static_cast<size_t>(kind)];
}

CallRecord RecordOfCall() {
  const CallInProgress* call = CurrentCall();
  if (call == nullptr) return {};
  return {call->sequence, call->return_address, ThisThread().ordinal, call->api};
}

Object::Object(ObjectKind kind, Context* context) : context_(context) {
  record_.kind = kind;
  record_.serial = serials[static_cast<size_t>(kind)].fetch_add(1, std::memory_order_relaxed) + 1;
  record_.created = RecordOfCall();
  const CallInProgress* call = CurrentCall();
  record_.harness = call != nullptr && call->harness;
  if (context != nullptr) {
    record_.context = context->serial();
    record_.context_epoch = context->epoch();
  }
}

Object::~Object() = default;

bool Object::MarkDestroyed(bool with_context) {
  if (ending_.exchange(true, std::memory_order_acq_rel)) {
    while (alive()) std::this_thread::yield();  // the other thread is about to say how
    return false;
  }
  record_.destroyed = RecordOfCall();
  record_.died_with_context = with_context;
  alive_.store(false, std::memory_order_release);
  return true;
}

void ForgetSerials() {
  for (auto& serial : serials) serial.store(0, std::memory_order_relaxed);
}

void ObjectList::Add(Object& object) {
  object.AddReference();
  std::lock_guard lock(mutex_);
  object.list_ = this;
  object.previous_ = nullptr;
  object.next_ = first_;
  if (first_ != nullptr) first_->previous_ = &object;
  first_ = &object;
}

void ObjectList::Remove(Object& object) {
  {
    std::lock_guard lock(mutex_);
    if (object.list_ != this) return;
    (object.previous_ != nullptr ? object.previous_->next_ : first_) = object.next_;
    if (object.next_ != nullptr) object.next_->previous_ = object.previous_;
    object.list_ = nullptr;
  }
  object.DropReference();
}

uint32_t ObjectList::Count(ObjectKind kind) const {
  std::lock_guard lock(mutex_);
  uint32_t count = 0;
  for (const Object* object = first_; object != nullptr; object = object->next_) {
    count += object->kind() == kind;
  }
  return count;
}

std::vector<Ref<Object>> ObjectList::Snapshot() const {
  std::lock_guard lock(mutex_);
  std::vector<Ref<Object>> all;
  for (Object* object = first_; object != nullptr; object = object->next_) all.emplace_back(object);
  return all;
}

std::vector<Ref<Object>> ObjectList::TakeAll() {
  std::lock_guard lock(mutex_);
  std::vector<Ref<Object>> all;
  while (first_ != nullptr) {
    all.push_back(Ref<Object>::Adopt(first_));
    first_->list_ = nullptr;
    first_ = first_->next_;
  }
  return all;
}

}  // namespace culprit::fakedriver
