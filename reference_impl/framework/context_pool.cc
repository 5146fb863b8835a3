// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/context_pool.h"

#include <cerrno>

namespace culprit::reference {

ExtractorContext& ContextPool::Acquire() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return all_.Add(std::make_unique<ExtractorContext>(descriptor_, options_));
  ExtractorContext& context = *idle_.back();
  idle_.pop_back();
  return context;
}

void ContextPool::Release(ExtractorContext& context) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(&context);
}

Status ContextPool::Prepare() {
  const std::lock_guard lock(mutex_);
  return all_.Prepare();
}

Status ContextPool::Destroy() {
  const std::lock_guard lock(mutex_);
  if (idle_.size() != all_.contexts().size()) {
    return ExtractorFailure(-EBUSY, "an extractor of the pool is in use");
  }
  Status destroyed = all_.Destroy();
  if (destroyed.ok()) idle_.clear();
  return destroyed;
}

}  // namespace culprit::reference
