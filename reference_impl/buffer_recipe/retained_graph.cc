// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/retained_graph.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

// What a user object carries. Its destructor runs on a thread of the driver's, once.
struct Handover {
  std::unique_ptr<OwningBuffer> buffer;
  DeferredFrees* frees;

  static void CUDA_CB Arrive(void* payload) {
    const std::unique_ptr<Handover> handover(static_cast<Handover*>(payload));
    handover->frees->Queue(std::move(handover->buffer));
  }
};

}  // namespace

Status RetainedGraph::Attach(std::unique_ptr<OwningBuffer>* buffer, DeferredFrees& frees,
                             Warnings& warnings) {
  if ((*buffer)->recipe().is_per_thread()) {
    warnings.Add(
        "a buffer of the per-thread default stream is attached to a graph: its free will not be "
        "ordered by this thread's");
  }
  return InContext(*context_, [&] {
    Status built = Build((*buffer)->memory());
    if (!built.ok()) return built;
    Status retained = Retain(buffer, frees);
    if (!retained.ok()) return retained;
    return context_->driver().cuGraphInstantiate(&executable_, graph_, 0);
  });
}

// One node that writes the buffer.
Status RetainedGraph::Build(CUdeviceptr memory) {
  const Driver& driver = context_->driver();
  Status created = driver.cuGraphCreate(&graph_, 0);
  if (!created.ok()) return created;
  CUDA_MEMSET_NODE_PARAMS parameters{};
  parameters.dst = memory;
  parameters.elementSize = 1;
  parameters.value = 7;
  parameters.width = 1;
  parameters.height = 1;
  CUgraphNode node = nullptr;
  return driver.cuGraphAddMemsetNode(&node, graph_, nullptr, 0, &parameters, context_->handle());
}

Status RetainedGraph::Retain(std::unique_ptr<OwningBuffer>* buffer, DeferredFrees& frees) {
  const Driver& driver = context_->driver();
  auto handover = std::make_unique<Handover>();
  handover->frees = &frees;
  CUuserObject object = nullptr;
  Status created = driver.cuUserObjectCreate(&object, handover.get(), &Handover::Arrive, 1,
                                             CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  if (!created.ok()) return created;
  // From here on the driver destroys the payload.
  Handover* published = handover.release();
  frees.Expect();
  published->buffer = std::move(*buffer);
  Status retained = driver.cuGraphRetainUserObject(graph_, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  if (retained.ok()) return retained;
  // Our reference was not moved: giving it back sends the buffer to the queue.
  // culprit: allow(result-ignored): the retain's failure is the one to report.
  static_cast<void>(driver.cuUserObjectRelease(object, 1));
  return retained;
}

Status RetainedGraph::Launch(const Stream& stream) const {
  return InContext(*context_,
                   [&] { return context_->driver().cuGraphLaunch(executable_, stream.get()); });
}

Status RetainedGraph::Close() {
  if (closed()) return Status();
  return InContext(*context_, [&] {
    FirstError first;
    const Driver& driver = context_->driver();
    if (executable_ != nullptr && first.Note(driver.cuGraphExecDestroy(executable_)))
      executable_ = nullptr;
    if (graph_ != nullptr && first.Note(driver.cuGraphDestroy(graph_))) graph_ = nullptr;
    return first.Take();
  });
}

}  // namespace culprit::reference
