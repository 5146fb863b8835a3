// SPDX-License-Identifier: Apache-2.0
//
// An application of owning buffers, one step at a time: what happens to a buffer is said by name,
// and on which thread and under which context it happens is the caller's choice.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_BUFFER_BENCH_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_BUFFER_BENCH_H_

#include <map>
#include <memory>
#include <string>

#include "reference_impl/buffer_recipe/publisher_process.h"
#include "reference_impl/buffer_recipe/retained_graph.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

class BufferBench {
 public:
  // name, origin (async, pool, managed, adopted, adopted_managed), stream (created, legacy,
  // per_thread)
  Status Allocate(const Options& arguments);
  // name, stream: memory of another process, the same for every import.
  Status Import(const Options& arguments);
  // name: fills the buffer on its stream.
  Status Use(const Options& arguments);
  // name: the last reference goes.
  Status Drop(const Options& arguments);
  // name: into a graph, which from then on owns the buffer.
  Status Attach(const Options& arguments);
  Status LaunchGraph();
  Status DestroyGraph();
  // Waits for the buffers that graphs hold and frees them.
  Status Drain();
  // Frees those that graphs have given up by now.
  Status FreeArrived();
  // count: as many warnings as there must be by now.
  Status ExpectWarnings(const Options& arguments);
  // Everything that is left. Retryable.
  Status Release();

 private:
  static constexpr size_t kBytes = 4096;

  Status Open();
  Status MakePool();
  Status Find(const Options& arguments, std::unique_ptr<OwningBuffer>** buffer);
  Status RecipeFor(const std::string& stream, std::unique_ptr<CleanupRecipe>* recipe);
  Status AllocateToAdopt(CleanupRecipe recipe, bool managed, std::unique_ptr<OwningBuffer>* buffer);
  Status ReleaseOwners();

  std::shared_ptr<Context> context_;
  std::shared_ptr<Stream> stream_;
  CUmemoryPool pool_ = nullptr;
  PublisherProcess publisher_;
  std::map<std::string, std::unique_ptr<OwningBuffer>> buffers_;
  std::unique_ptr<RetainedGraph> graph_;
  DeferredFrees frees_;
  Warnings warnings_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_BUFFER_BENCH_H_
