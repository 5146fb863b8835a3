// SPDX-License-Identifier: Apache-2.0
//
// Extractors that belong to one worker each, so that a frame needs no lock. The session owns them,
// not the threads: a thread that has ended cannot retry a close.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_WORKER_EXTRACTORS_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_WORKER_EXTRACTORS_H_

#include <algorithm>
#include <vector>

#include "reference_impl/framework/extractor_vector.h"

namespace culprit::reference {

class WorkerExtractors {
 public:
  explicit WorkerExtractors(uint32_t workers) : of_worker_(workers) {}

  // One instance for every worker.
  void Add(const ExtractorDescriptor& descriptor, const Options& options);
  // Only from that worker's jobs, or while no job runs.
  const ExtractorVector& of(uint32_t worker) const { return of_worker_[worker]; }
  // Whether a descriptor of the set meets `condition`; every worker has the same ones.
  template <typename Condition>
  bool AnyOf(Condition condition) const {
    if (of_worker_.empty()) return false;
    const auto& contexts = of_worker_[0].contexts();
    return std::any_of(contexts.begin(), contexts.end(),
                       [&](const auto& context) { return condition(context->descriptor()); });
  }

  // As of ExtractorVector, over all workers; only while no job runs.
  Status Prepare();
  Status Destroy();
  bool quiet() const;

 private:
  std::vector<ExtractorVector> of_worker_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_WORKER_EXTRACTORS_H_
