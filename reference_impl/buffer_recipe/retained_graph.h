// SPDX-License-Identifier: Apache-2.0
//
// An executable graph that keeps a buffer alive: the buffer moves into a user object, which the
// graph and then its executable retain, and comes out in the queue of deferred frees when the last
// of them is destroyed.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_RETAINED_GRAPH_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_RETAINED_GRAPH_H_

#include <memory>

#include "reference_impl/buffer_recipe/deferred_frees.h"

namespace culprit::reference {

class RetainedGraph {
 public:
  explicit RetainedGraph(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  // Takes `*buffer` if the graph retained it; otherwise the caller still owns it. A warning if its
  // free is ordered by a per-thread stream.
  Status Attach(std::unique_ptr<OwningBuffer>* buffer, DeferredFrees& frees, Warnings& warnings);
  Status Launch(const Stream& stream) const;
  bool executable() const { return executable_ != nullptr; }
  // Retryable.
  Status Close();
  bool closed() const { return graph_ == nullptr && executable_ == nullptr; }

 private:
  Status Build(CUdeviceptr memory);
  Status Retain(std::unique_ptr<OwningBuffer>* buffer, DeferredFrees& frees);

  std::shared_ptr<Context> context_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_RETAINED_GRAPH_H_
