// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/deferred_frees.h"

#include <chrono>

namespace culprit::reference {

void DeferredFrees::Expect() {
  const std::lock_guard lock(mutex_);
  ++expected_;
}

void DeferredFrees::Queue(std::unique_ptr<OwningBuffer> buffer) {
  {
    const std::lock_guard lock(mutex_);
    buffers_.push_back(std::move(buffer));
    --expected_;
  }
  queued_.notify_all();
}

Status DeferredFrees::Drain(Warnings& warnings) {
  std::vector<std::unique_ptr<OwningBuffer>> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(buffers_);
  }
  FirstError first;
  std::erase_if(taken, [&](const auto& buffer) {
    first.Note(buffer->Free(warnings));
    return buffer->freed();
  });
  const std::lock_guard lock(mutex_);
  for (auto& buffer : taken) buffers_.push_back(std::move(buffer));
  return first.Take();
}

bool DeferredFrees::WaitForExpected() {
  constexpr auto kLongest = std::chrono::seconds(10);
  std::unique_lock lock(mutex_);
  return queued_.wait_for(lock, kLongest, [&] { return expected_ == 0; });
}

}  // namespace culprit::reference
