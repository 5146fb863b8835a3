// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/context_pool.h"

#include <cerrno>

namespace culprit::reference {

ContextPool::ContextPool(const ExtractorDescriptor& descriptor, const Options& options,
                         uint32_t size)
    : descriptor_(descriptor) {
  for (uint32_t i = 0; i < size; ++i) {
    idle_.push_back(&all_.Add(std::make_unique<ExtractorContext>(descriptor, options)));
  }
}

Status ContextPool::Init(const ExtractorSetup& setup) {
  for (const auto& context : all_.contexts()) {
    Status ready = context->Init(setup);
    if (!ready.ok()) return ready;
  }
  return Status();
}

ExtractorContext& ContextPool::Acquire() {
  const std::lock_guard lock(mutex_);
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
