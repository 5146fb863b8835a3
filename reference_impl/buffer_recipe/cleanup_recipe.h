// SPDX-License-Identifier: Apache-2.0
//
// Everything a free needs, captured when a buffer is made: the stream that orders it and the
// context in which it is legal. The thread that drops the last reference then needs nothing of its
// own.
//
// The default-stream tokens are no streams: what they mean depends on the context, and for the
// per-thread one on the thread, in which the call runs. A recipe binds the context into them. The
// per-thread token stays a token, since nothing public turns it into a stream: freed on another
// thread, the free is ordered by that thread's default stream, which is the application's to know
// and is told to it as a warning.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_CLEANUP_RECIPE_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_CLEANUP_RECIPE_H_

#include <memory>
#include <thread>

#include "reference_impl/resource/context.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

class CleanupRecipe {
 public:
  // A stream somebody created; shared, so that it outlives the buffers it frees.
  static CleanupRecipe OnStream(std::shared_ptr<Context> context,
                                std::shared_ptr<const Stream> stream);
  static CleanupRecipe OnLegacyStream(std::shared_ptr<Context> context);
  // Remembers the calling thread.
  static CleanupRecipe OnPerThreadStream(std::shared_ptr<Context> context);

  const std::shared_ptr<Context>& context() const { return context_; }
  CUstream stream() const { return created_ != nullptr ? created_->get() : token_; }
  bool is_per_thread() const { return token_ == CU_STREAM_PER_THREAD; }
  bool captured_on_this_thread() const { return thread_ == std::this_thread::get_id(); }

 private:
  CleanupRecipe(std::shared_ptr<Context> context, std::shared_ptr<const Stream> created,
                CUstream token)
      : context_(std::move(context)),
        created_(std::move(created)),
        token_(token),
        thread_(std::this_thread::get_id()) {}

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Stream> created_;
  CUstream token_;
  std::thread::id thread_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_CLEANUP_RECIPE_H_
