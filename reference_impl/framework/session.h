// SPDX-License-Identifier: Apache-2.0
//
// The public handle of one life cycle: open, use extractors, import a state, submit frame pairs,
// flush, read scores, close.
//
// The session owns everything that was made for it, each thing in one place: the registered
// extractors, the context pools and the workers' private extractors, the ring, the drain batches,
// the device state. Close is repeatable; only exact zero ends the session.
//
// One call at a time, from any thread.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_SESSION_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_SESSION_H_

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "reference_impl/framework/context_pool.h"
#include "reference_impl/framework/drain_batch.h"
#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/ring_pool.h"
#include "reference_impl/framework/state.h"
#include "reference_impl/framework/thread_pool.h"
#include "reference_impl/framework/worker_extractors.h"

namespace culprit::reference {

// A picture out of the ring, in the caller's hands until it is submitted.
struct FetchedPicture {
  std::shared_ptr<PictureLease> lease;
  std::shared_ptr<const HostFrame> host;  // only if an extractor of the session needs it
};

class Session {
 public:
  Session(const Geometry& geometry, uint32_t threads);

  // Before the first submit.
  Status UseExtractor(std::string_view name, Options options);
  Status ImportState(State& state);
  Status Preallocate(uint32_t count);

  // The picture stays the session's.
  Status Fetch(const FrameView& frame, FetchedPicture** picture);
  // Copies what it needs of the frames before it returns.
  Status Submit(const FrameView& reference, const FrameView& distorted, uint32_t index);
  // Takes the pictures over, also when it fails.
  Status SubmitPictures(FetchedPicture* reference, FetchedPicture* distorted, uint32_t index);
  // Once; nothing can be submitted after it.
  Status Flush();

  const FeatureCollector& collector() const { return collector_; }

  // Everything that can fail. Zero: the session may be deleted. Otherwise it keeps what it could
  // not release.
  Status Close();

 private:
  struct Submission {
    uint32_t index = 0;
    std::shared_ptr<const HostFrame> reference;
    std::shared_ptr<const HostFrame> distorted;
    std::shared_ptr<PictureLease> reference_lease;
    std::shared_ptr<PictureLease> distorted_lease;

    FramePair pair() const;
  };

  // session.cc
  ExtractorSetup setup() const;
  bool UsesHost() const;
  bool UsesDevice() const;
  Status CheckUsable() const;
  Status Fail(Status status);
  std::unique_ptr<FetchedPicture> TakeBack(FetchedPicture* picture);
  Status OpenRing(uint32_t count);

  // session_submit.cc
  Status InitExtractors();
  Status SubmitAll(const Submission& submission);
  Status RunAll(const Submission& submission);
  Status SubmitToBackend(Backend backend, const FramePair& pair);
  Status SubmitToHost(const Submission& submission);
  Status EnqueueJobs(const Submission& submission);
  Status ReleasePictures(const Submission& submission);

  // session_flush.cc
  Status FlushHost();
  Status FlushBackend(Backend backend);
  Status SynchronizeDevice();

  // session_close.cc
  Status Prepare();
  bool Quiet() const;
  Status Commit();

  Geometry geometry_;
  FeatureCollector collector_;
  std::shared_ptr<DeviceState> device_;
  ExtractorVector registered_;
  std::vector<std::unique_ptr<ContextPool>> pools_;
  WorkerExtractors workers_;
  std::map<Backend, DrainBatch> in_flight_;
  std::unique_ptr<RingPool> ring_;
  std::vector<std::unique_ptr<RingPool>> failed_rings_;  // whose rollback left something
  std::vector<std::unique_ptr<FetchedPicture>> fetched_;
  std::unique_ptr<ThreadPool> threads_;
  Status failure_;  // the first failure of a submit or a flush: reported again until the close
  bool started_ = false;
  bool flushed_ = false;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_SESSION_H_
