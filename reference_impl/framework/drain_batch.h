// SPDX-License-Identifier: Apache-2.0
//
// The extractors of one back end that have a frame in flight. The batch has one owner, the session,
// and a stream of its own: it queues a wait for every extractor's `finished` there and waits once
// for all of them, then each one collects.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_DRAIN_BATCH_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_DRAIN_BATCH_H_

#include <vector>

#include "reference_impl/framework/extractor_context.h"

namespace culprit::reference {

class DrainBatch {
 public:
  void Add(ExtractorContext& extractor, uint32_t index) { pending_.push_back({&extractor, index}); }

  // Collects what is pending. Opens the stream in `context` when it is first needed; without
  // streams to wait for, `context` may be null.
  Status Collect(const std::shared_ptr<Context>& context, Reach reach, FeatureCollector& collector);

  // Of the stream. Retryable.
  Status Close() { return stream_.Close(); }

 private:
  struct Pending {
    ExtractorContext* extractor;
    uint32_t index;
  };

  Status WaitForAll(const std::shared_ptr<Context>& context);

  Stream stream_;
  std::vector<Pending> pending_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_DRAIN_BATCH_H_
