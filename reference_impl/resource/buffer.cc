// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/buffer.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

// The widest element that rows are read in; the driver asks for 4, 8 or 16.
constexpr unsigned kPitchElementBytes = 16;

Status Free(const Driver& driver, std::uintptr_t handle) {
  return driver.cuMemFree(static_cast<CUdeviceptr>(handle));
}

}  // namespace

Status Buffer::Open(const std::shared_ptr<Context>& context, size_t bytes) {
  CUdeviceptr made = 0;
  Status created = InContext(*context, [&] { return context->driver().cuMemAlloc(&made, bytes); });
  pitch_ = bytes;
  return Adopt(std::move(created), context, static_cast<std::uintptr_t>(made), &Free);
}

Status Buffer::OpenPitched(const std::shared_ptr<Context>& context, size_t row_bytes, size_t rows) {
  CUdeviceptr made = 0;
  Status created = InContext(*context, [&] {
    return context->driver().cuMemAllocPitch(&made, &pitch_, row_bytes, rows, kPitchElementBytes);
  });
  return Adopt(std::move(created), context, static_cast<std::uintptr_t>(made), &Free);
}

Status Buffer::Close() { return Release(&Free); }

}  // namespace culprit::reference
