// SPDX-License-Identifier: Apache-2.0
//
// A frame pair on its way to every extractor. GPU extractors of the registered vector run on the
// calling thread: the previous frame is collected, then this one submitted. In a threaded session
// workers do the rest.
#include <cerrno>

#include "reference_impl/framework/session.h"
#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

// Two pairs: one being read while the next is uploaded.
constexpr uint32_t kDefaultRing = 4;

}  // namespace

Status Session::Submit(const FrameView& reference, const FrameView& distorted, uint32_t index) {
  Status usable = CheckUsable();
  if (!usable.ok()) return usable;
  if (reference.geometry != geometry_ || distorted.geometry != geometry_) {
    return ExtractorFailure(-EINVAL, "the frame's geometry is not the session's");
  }
  const auto submit = [&] {
    Status ready = InitExtractors();
    if (!ready.ok()) return ready;
    Submission submission;
    submission.index = index;
    if (UsesHost()) {
      submission.reference = std::make_shared<HostFrame>(reference);
      submission.distorted = std::make_shared<HostFrame>(distorted);
    }
    if (UsesDevice()) {
      if (device_ == nullptr) return ExtractorFailure(-EINVAL, "no device state was imported");
      if (ring_ == nullptr) {
        Status made = OpenRing(kDefaultRing);
        if (!made.ok()) return made;
      }
      Status first = ring_->Fetch(reference, &submission.reference_lease);
      if (!first.ok()) return first;
      Status second = ring_->Fetch(distorted, &submission.distorted_lease);
      if (!second.ok()) return second;
      submission.reference_lease->MarkSubmitted();
      submission.distorted_lease->MarkSubmitted();
    }
    return RunAll(submission);
  };
  return Fail(device_ != nullptr ? InContext(*device_->context(), submit) : submit());
}

Status Session::SubmitPictures(FetchedPicture* reference, FetchedPicture* distorted,
                               uint32_t index) {
  const std::unique_ptr<FetchedPicture> first = TakeBack(reference);
  const std::unique_ptr<FetchedPicture> second = TakeBack(distorted);
  Status usable = CheckUsable();
  if (!usable.ok()) return usable;
  if (first == nullptr || second == nullptr) {
    return ExtractorFailure(-EINVAL, "the picture was not fetched from this session");
  }
  const Submission submission{index, first->host, second->host, first->lease, second->lease};
  return Fail(InContext(*device_->context(), [&] {
    Status ready = InitExtractors();
    return ready.ok() ? RunAll(submission) : ready;
  }));
}

Status Session::InitExtractors() {
  started_ = true;
  for (const auto& extractor : registered_.contexts()) {
    Status ready = extractor->Init(setup());
    if (!ready.ok()) return ready;
  }
  for (const auto& pool : pools_) {
    Status ready = pool->Init(setup());
    if (!ready.ok()) return ready;
  }
  return Status();
}

Status Session::RunAll(const Submission& submission) {
  Status jobs = threads_ != nullptr ? threads_->TakeFailure() : Status();
  if (!jobs.ok()) return jobs;
  for (const Backend backend : {Backend::kCuda, Backend::kLoopback}) {
    Status submitted = SubmitToBackend(backend, submission.pair());
    if (!submitted.ok()) return submitted;
  }
  Status released = ReleasePictures(submission);
  if (!released.ok()) return released;
  Status queued = EnqueueJobs(submission);
  if (!queued.ok()) return queued;
  return SubmitToHost(submission);
}

Status Session::SubmitToBackend(Backend backend, const FramePair& pair) {
  DrainBatch& batch = in_flight_[backend];
  Status collected = batch.Collect(setup().context, Reach::kMoreFrames, collector_);
  if (!collected.ok()) return collected;
  for (const auto& extractor : registered_.contexts()) {
    if (extractor->descriptor().backend != backend) continue;
    Status submitted = extractor->Submit(pair);
    if (!submitted.ok()) return submitted;
    batch.Add(*extractor, pair.index);
  }
  return Status();
}

// The pictures may be filled again when the registered extractors' kernels have read them. Workers
// hold their lease.
Status Session::ReleasePictures(const Submission& submission) {
  if (submission.reference_lease == nullptr) return Status();
  std::vector<const Event*> readers;
  for (const auto& extractor : registered_.contexts()) {
    if (extractor->lifecycle() != nullptr) readers.push_back(&extractor->lifecycle()->submitted());
  }
  Status reference = submission.reference_lease->picture().ReleaseAfter(readers);
  if (!reference.ok()) return reference;
  return submission.distorted_lease->picture().ReleaseAfter(readers);
}

// Extractors on the host that need their frames in order: each stays with one worker.
Status Session::SubmitToHost(const Submission& submission) {
  uint32_t ordinal = 0;
  for (const auto& extractor : registered_.contexts()) {
    if (IsGpu(extractor->descriptor().backend)) continue;
    const auto extract = [this, submission, context = extractor.get()] {
      return context->Extract(submission.pair(), setup(), collector_);
    };
    if (threads_ == nullptr) {
      Status done = extract();
      if (!done.ok()) return done;
      continue;
    }
    threads_->Enqueue(ordinal++ % threads_->workers(), submission.index, extract);
  }
  return Status();
}

Status Session::EnqueueJobs(const Submission& submission) {
  if (threads_ == nullptr) return Status();
  const uint32_t worker = submission.index % threads_->workers();
  for (const auto& pool : pools_) {
    threads_->Enqueue(worker, submission.index, [this, submission, &pool = *pool] {
      ExtractorContext& context = pool.Acquire();
      Status done = context.Extract(submission.pair(), setup(), collector_);
      pool.Release(context);
      return done;
    });
  }
  for (const auto& extractor : workers_.of(worker).contexts()) {
    threads_->Enqueue(worker, submission.index, [this, submission, &context = *extractor] {
      return context.Extract(submission.pair(), setup(), collector_);
    });
  }
  return Status();
}

}  // namespace culprit::reference
