// SPDX-License-Identifier: Apache-2.0
//
// Instances of one extractor that any worker may use, one frame at a time. The pool grows to the
// number of workers that want one at once.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_

#include <mutex>
#include <vector>

#include "reference_impl/framework/extractor_vector.h"

namespace culprit::reference {

class ContextPool {
 public:
  ContextPool(const ExtractorDescriptor& descriptor, Options options)
      : descriptor_(descriptor), options_(std::move(options)) {}

  // Thread-safe. The pool keeps the ownership.
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
  Options options_;
  std::mutex mutex_;
  ExtractorVector all_;
  std::vector<ExtractorContext*> idle_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_CONTEXT_POOL_H_
