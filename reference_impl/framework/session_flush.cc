// SPDX-License-Identifier: Apache-2.0
//
// The end of the clip. The host flush covers the extractors on the host, serial or threaded, and
// leaves those of every GPU back end alone; each back end flushes its own, and collects what is in
// flight before that, in both modes. So a threaded run gives the bits of a serial one.
#include "reference_impl/framework/session.h"
#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status Session::Flush() {
  Status usable = CheckUsable();
  if (!usable.ok()) return usable;
  FirstError first;
  first.Note(FlushHost());
  first.Note(FlushBackend(Backend::kCuda));
  first.Note(FlushBackend(Backend::kLoopback));
  flushed_ = true;
  return Fail(first.Take());
}

Status Session::FlushHost() {
  if (threads_ != nullptr) {
    threads_->Wait();
    Status jobs = threads_->TakeFailure();
    if (!jobs.ok()) return jobs;
  }
  for (const auto& extractor : registered_.contexts()) {
    if (!extractor->descriptor().temporal) continue;
    if (IsGpu(extractor->descriptor().backend)) continue;
    Status flushed = extractor->Flush(collector_);
    if (!flushed.ok()) return flushed;
  }
  return Status();
}

// An extractor's failure and the device's are two things: each has its own variable and its own
// words, so that a context is never blamed for an extractor.
Status Session::FlushBackend(Backend backend) {
  const auto flush_extractors = [&] {
    FirstError extractors;
    const bool collected = extractors.Note(
        in_flight_[backend].Collect(setup().context, Reach::kLastFrame, collector_));
    for (const auto& extractor : registered_.contexts()) {
      if (!collected || extractor->descriptor().backend != backend) continue;
      extractors.Note(extractor->Flush(collector_));
    }
    return extractors.Take();
  };
  if (backend != Backend::kCuda || device_ == nullptr) return flush_extractors();

  Status extractor_result = InContext(*device_->context(), flush_extractors);
  Status driver_result = SynchronizeDevice().Explain("the CUDA context could not be synchronized");
  return extractor_result.ok() ? driver_result : extractor_result;
}

Status Session::SynchronizeDevice() {
  return InContext(*device_->context(), [&] {
    Status stream = device_->stream().Synchronize();
    if (!stream.ok()) return stream;
    return device_->context()->driver().cuCtxSynchronize();
  });
}

}  // namespace culprit::reference
