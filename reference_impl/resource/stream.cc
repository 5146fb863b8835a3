// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/stream.h"

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/event.h"

namespace culprit::reference {

// A stream is awaited once. A destroy that reported a failure may have taken place, and after it
// nothing but another destroy may touch the handle.
Status Stream::QuiesceAndDestroy(const Driver& driver, CUstream stream) {
  if (!quiet_) {
    Status quiet = driver.cuStreamSynchronize(stream);
    if (!quiet.ok()) return quiet;
    quiet_ = true;
  }
  return driver.cuStreamDestroy(stream);
}

Status Stream::Open(const std::shared_ptr<Context>& context) {
  CUstream made = nullptr;
  Status created = InContext(*context, [&] {
    int least = 0;
    int greatest = 0;
    Status range = context->driver().cuCtxGetStreamPriorityRange(&least, &greatest);
    if (!range.ok()) return range;
    return context->driver().cuStreamCreateWithPriority(&made, CU_STREAM_NON_BLOCKING, least);
  });
  quiet_ = false;
  return Adopt(std::move(created), context, reinterpret_cast<std::uintptr_t>(made),
               [this](const Driver& driver, std::uintptr_t handle) {
                 return QuiesceAndDestroy(driver, reinterpret_cast<CUstream>(handle));
               });
}

Status Stream::Close() {
  return Release([this](const Driver& driver, std::uintptr_t handle) {
    return QuiesceAndDestroy(driver, reinterpret_cast<CUstream>(handle));
  });
}

Status Stream::Synchronize() const {
  return InContext(context(), [&] { return driver().cuStreamSynchronize(get()); });
}

Status Stream::Wait(const Event& event) const {
  return InContext(context(), [&] { return driver().cuStreamWaitEvent(get(), event.get(), 0); });
}

}  // namespace culprit::reference
