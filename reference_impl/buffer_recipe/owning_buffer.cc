// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/owning_buffer.h"

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/error_sink.h"

namespace culprit::reference {

OwningBuffer::OwningBuffer(CleanupRecipe recipe, Origin origin, CUdeviceptr memory)
    : recipe_(std::move(recipe)), origin_(origin), memory_(memory) {
  recipe_.context()->AddChild();
}

OwningBuffer::~OwningBuffer() {
  if (freed()) return;
  error_sink::Record("a device buffer was dropped without being freed");
  recipe_.context()->RemoveChild();
}

// Memory that exists has an owner, also when a later step of making it failed; it is then freed
// again at once.
Status OwningBuffer::Own(Status made, CleanupRecipe recipe, Origin origin, CUdeviceptr memory,
                         std::unique_ptr<OwningBuffer>* buffer) {
  if (memory == 0) return made;
  std::unique_ptr<OwningBuffer> owned(new OwningBuffer(std::move(recipe), origin, memory));
  if (made.ok()) {
    *buffer = std::move(owned);
    return made;
  }
  Warnings unused;
  Status rolled_back = owned->Free(unused);
  if (!rolled_back.ok()) error_sink::Record("buffer rollback: " + rolled_back.error().message);
  return made;
}

Status OwningBuffer::AllocateAsync(CleanupRecipe recipe, size_t bytes,
                                   std::unique_ptr<OwningBuffer>* buffer) {
  CUdeviceptr memory = 0;
  const Context& context = *recipe.context();
  Status made = InContext(
      context, [&] { return context.driver().cuMemAllocAsync(&memory, bytes, recipe.stream()); });
  return Own(std::move(made), std::move(recipe), Origin::kStreamOrdered, memory, buffer);
}

Status OwningBuffer::AllocateFromPool(CleanupRecipe recipe, CUmemoryPool pool, size_t bytes,
                                      std::unique_ptr<OwningBuffer>* buffer) {
  CUdeviceptr memory = 0;
  const Context& context = *recipe.context();
  Status made = InContext(context, [&] {
    return context.driver().cuMemAllocFromPoolAsync(&memory, bytes, pool, recipe.stream());
  });
  return Own(std::move(made), std::move(recipe), Origin::kStreamOrdered, memory, buffer);
}

Status OwningBuffer::AllocateManaged(CleanupRecipe recipe, size_t bytes,
                                     std::unique_ptr<OwningBuffer>* buffer) {
  CUdeviceptr memory = 0;
  const Context& context = *recipe.context();
  Status made = InContext(context, [&] {
    return context.driver().cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL);
  });
  return Own(std::move(made), std::move(recipe), Origin::kManaged, memory, buffer);
}

Status OwningBuffer::Import(CleanupRecipe recipe, const CUipcMemHandle& handle,
                            std::unique_ptr<OwningBuffer>* buffer) {
  CUdeviceptr memory = 0;
  const Context& context = *recipe.context();
  Status made = InContext(context, [&] {
    return context.driver().cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
  });
  return Own(std::move(made), std::move(recipe), Origin::kImported, memory, buffer);
}

std::unique_ptr<OwningBuffer> OwningBuffer::Adopt(CleanupRecipe recipe, CUdeviceptr memory) {
  return std::unique_ptr<OwningBuffer>(
      new OwningBuffer(std::move(recipe), Origin::kStreamOrdered, memory));
}

std::unique_ptr<OwningBuffer> OwningBuffer::AdoptManaged(CleanupRecipe recipe, CUdeviceptr memory) {
  return std::unique_ptr<OwningBuffer>(
      new OwningBuffer(std::move(recipe), Origin::kManaged, memory));
}

Status OwningBuffer::Free(Warnings& warnings) {
  if (freed()) return Status();
  if (recipe_.is_per_thread() && !recipe_.captured_on_this_thread()) {
    warnings.Add(
        "a buffer of the per-thread default stream is freed on another thread: the free is ordered "
        "by that thread's");
  }
  return InContext(*recipe_.context(), [&] {
    Status released = FreeInContext();
    if (released.ok()) {
      memory_ = 0;
      recipe_.context()->RemoveChild();
    }
    return released;
  });
}

Status OwningBuffer::FreeInContext() {
  const Driver& driver = recipe_.context()->driver();
  if (origin_ == Origin::kStreamOrdered) return driver.cuMemFreeAsync(memory_, recipe_.stream());
  // These frees take no stream: what was ordered before them is waited for.
  Status quiet = driver.cuStreamSynchronize(recipe_.stream());
  if (!quiet.ok()) return quiet;
  return origin_ == Origin::kManaged ? driver.cuMemFree(memory_)
                                     : driver.cuIpcCloseMemHandle(memory_);
}

}  // namespace culprit::reference
