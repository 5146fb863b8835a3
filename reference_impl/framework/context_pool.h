// SPDX-License-Identifier: Apache-2.0
//
// Instances of one extractor that any worker may use, one frame at a time: as many as there are
// workers, made and initialised before the first frame, so that a run's driver calls do not depend
// on how the workers overlapped.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_

#include <mutex>
#include <vector>

#include "reference_impl/framework/extractor_vector.h"

namespace culprit::reference {

class ContextPool {
 public:
  ContextPool(const ExtractorDescriptor& descriptor, const Options& options, uint32_t size);

  // Of all contexts, once; later calls do nothing.
  Status Init(const ExtractorSetup& setup);

  // Thread-safe; by at most as many workers at once as the pool has contexts. The pool keeps the
  // ownership.
  ExtractorContext& Acquire();
  void Release(ExtractorContext& context);

  // Only while no context is acquired.
  Status Prepare();
  // -EBUSY while a context is acquired or not prepared.
  Status Destroy();
  bool quiet() const { return all_.quiet(); }

  const ExtractorDescriptor& descriptor() const { return descriptor_; }

 private:
  const ExtractorDescriptor& descriptor_;
  std::mutex mutex_;
  ExtractorVector all_;
  std::vector<ExtractorContext*> idle_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_
