// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/pinned_buffer.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

Status FreeHost(const Driver& driver, std::uintptr_t handle) {
  return driver.cuMemFreeHost(reinterpret_cast<void*>(handle));
}

}  // namespace

Status PinnedBuffer::Open(const std::shared_ptr<Context>& context, size_t bytes) {
  void* made = nullptr;
  Status created =
      InContext(*context, [&] { return context->driver().cuMemHostAlloc(&made, bytes, 0); });
  return Adopt(std::move(created), context, reinterpret_cast<std::uintptr_t>(made), &FreeHost);
}

Status PinnedBuffer::Close() { return Release(&FreeHost); }

}  // namespace culprit::reference
