// SPDX-License-Identifier: Apache-2.0
//
// Device memory with its cleanup recipe. Every way to own memory records a complete recipe when the
// buffer is made; there is no way to make one without.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_OWNING_BUFFER_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_OWNING_BUFFER_H_

#include <memory>
#include <string>

#include "reference_impl/buffer_recipe/cleanup_recipe.h"
#include "reference_impl/buffer_recipe/warnings.h"

namespace culprit::reference {

class OwningBuffer {
 public:
  // In stream order, from the device's default pool or from `pool`.
  static Status AllocateAsync(CleanupRecipe recipe, size_t bytes,
                              std::unique_ptr<OwningBuffer>* buffer);
  static Status AllocateFromPool(CleanupRecipe recipe, CUmemoryPool pool, size_t bytes,
                                 std::unique_ptr<OwningBuffer>* buffer);
  static Status AllocateManaged(CleanupRecipe recipe, size_t bytes,
                                std::unique_ptr<OwningBuffer>* buffer);
  // Memory of another process, which keeps it allocated until this buffer is freed.
  static Status Import(CleanupRecipe recipe, const CUipcMemHandle& handle,
                       std::unique_ptr<OwningBuffer>* buffer);
  // Memory that somebody allocated and hands over, with the stream its free is ordered on; in
  // stream order, or managed.
  static std::unique_ptr<OwningBuffer> Adopt(CleanupRecipe recipe, CUdeviceptr memory);
  static std::unique_ptr<OwningBuffer> AdoptManaged(CleanupRecipe recipe, CUdeviceptr memory);

  ~OwningBuffer();
  OwningBuffer(const OwningBuffer&) = delete;
  OwningBuffer& operator=(const OwningBuffer&) = delete;

  // In the recipe's context and on its stream, whatever is current here. A failure is reported, the
  // memory stays owned and Free may be called again.
  Status Free(Warnings& warnings);
  bool freed() const { return memory_ == 0; }

  CUdeviceptr memory() const { return memory_; }
  const CleanupRecipe& recipe() const { return recipe_; }

 private:
  enum class Origin { kStreamOrdered, kManaged, kImported };

  OwningBuffer(CleanupRecipe recipe, Origin origin, CUdeviceptr memory);
  static Status Own(Status made, CleanupRecipe recipe, Origin origin, CUdeviceptr memory,
                    std::unique_ptr<OwningBuffer>* buffer);
  Status FreeInContext();

  CleanupRecipe recipe_;
  Origin origin_;
  CUdeviceptr memory_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_OWNING_BUFFER_H_
