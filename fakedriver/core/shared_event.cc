// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/shared_event.h"

#include <sys/mman.h>

#include <utility>

namespace culprit::fakedriver {
SharedEvent::SharedEvent(SharedFile file)
    : file_(std::move(file)), state_(reinterpret_cast<State*>(file_.Map())) {}

SharedEvent::~SharedEvent() {
  if (state_ != nullptr) munmap(state_, file_.size());
}

std::shared_ptr<SharedEvent> SharedEvent::Create() {
  auto event = std::make_shared<SharedEvent>(SharedFile::Create(sizeof(State)));
  return event->state_ != nullptr ? event : nullptr;
}

std::shared_ptr<SharedEvent> SharedEvent::Open(const SharedFileName& name) {
  SharedFile file = SharedFile::Open(name);
  if (!file || file.size() != sizeof(State)) return nullptr;
  auto event = std::make_shared<SharedEvent>(std::move(file));
  return event->state_ != nullptr ? event : nullptr;
}

void SharedEvent::Reached(uint64_t record) {
  uint64_t before = state_->reached.load(std::memory_order_relaxed);
  while (before < record &&
         !state_->reached.compare_exchange_weak(before, record, std::memory_order_acq_rel)) {
  }
}

}  // namespace culprit::fakedriver
