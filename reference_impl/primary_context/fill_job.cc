// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/primary_context/fill_job.h"

#include <algorithm>
#include <cerrno>

#include "reference_impl/kernels/ptx.h"
#include "reference_impl/primary_context/primary_context.h"

namespace culprit::reference {
namespace {

constexpr size_t kBytes = FillJob::kCount * sizeof(unsigned);

// Clears the handle if its release succeeded.
template <typename Handle, typename Release>
void Give(FirstError* first, Handle* handle, const Release& release) {
  if (*handle != Handle{} && first->Note(release(*handle))) *handle = Handle{};
}

}  // namespace

Status FillJob::Load() {
  Status bound = BindPrimaryContext(driver_);
  if (!bound.ok()) return bound;
  Status stream = driver_.cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING, 0);
  if (!stream.ok()) return stream;
  Status loaded = driver_.cuModuleLoadData(&module_, kernels::kFillPtx);
  if (!loaded.ok()) return loaded;
  Status found = driver_.cuModuleGetFunction(&function_, module_, "fill");
  if (!found.ok()) return found;
  Status allocated = driver_.cuMemAlloc(&device_, kBytes);
  if (!allocated.ok()) return allocated;
  return driver_.cuMemHostAlloc(&host_, kBytes, 0);
}

Status FillJob::Launch() {
  Status bound = BindPrimaryContext(driver_);
  if (!bound.ok()) return bound;
  int count = kCount;
  void* parameters[] = {&device_, &value_, &count};
  Status launched =
      driver_.cuLaunchKernel(function_, 2, 1, 1, kCount / 2, 1, 1, 0, stream_, parameters, nullptr);
  if (!launched.ok()) return launched;
  return driver_.cuMemcpyDtoHAsync(host_, device_, kBytes, stream_);
}

Status FillJob::Synchronize() {
  Status bound = BindPrimaryContext(driver_);
  if (!bound.ok()) return bound;
  return driver_.cuStreamSynchronize(stream_);
}

Status FillJob::Check() {
  const auto* values = static_cast<const unsigned*>(host_);
  for (unsigned i = 0; i < kCount; ++i) {
    if (values[i] != value_ + i) return ExtractorFailure(-EIO, "the device wrote something else");
  }
  return Status();
}

Status FillJob::Unload() {
  if (unloaded()) return Status();
  Status bound = BindPrimaryContext(driver_);
  if (!bound.ok()) return bound;
  FirstError first;
  if (stream_ != nullptr) {
    Status quiet = driver_.cuStreamSynchronize(stream_);
    if (!quiet.ok()) return quiet;
  }
  Give(&first, &stream_, [&](CUstream stream) { return driver_.cuStreamDestroy(stream); });
  Give(&first, &device_, [&](CUdeviceptr memory) { return driver_.cuMemFree(memory); });
  Give(&first, &host_, [&](void* memory) { return driver_.cuMemFreeHost(memory); });
  Give(&first, &module_, [&](CUmodule module) { return driver_.cuModuleUnload(module); });
  return first.Take();
}

bool FillJob::unloaded() const {
  return stream_ == nullptr && module_ == nullptr && device_ == 0 && host_ == nullptr;
}

}  // namespace culprit::reference
