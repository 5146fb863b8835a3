// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/event.h"

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {
namespace {

Status Destroy(const Driver& driver, std::uintptr_t handle) {
  return driver.cuEventDestroy(reinterpret_cast<CUevent>(handle));
}

}  // namespace

Status Event::Open(const std::shared_ptr<Context>& context) {
  CUevent made = nullptr;
  Status created = InContext(
      *context, [&] { return context->driver().cuEventCreate(&made, CU_EVENT_DISABLE_TIMING); });
  return Adopt(std::move(created), context, reinterpret_cast<std::uintptr_t>(made), &Destroy);
}

Status Event::Close() { return Release(&Destroy); }

Status Event::Record(const Stream& stream) const {
  return InContext(context(), [&] { return driver().cuEventRecord(get(), stream.get()); });
}

Status Event::Synchronize() const {
  return InContext(context(), [&] { return driver().cuEventSynchronize(get()); });
}

}  // namespace culprit::reference
