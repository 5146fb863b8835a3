// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/cleanup_recipe.h"

namespace culprit::reference {

CleanupRecipe CleanupRecipe::OnStream(std::shared_ptr<Context> context,
                                      std::shared_ptr<const Stream> stream) {
  return CleanupRecipe(std::move(context), std::move(stream), nullptr);
}

CleanupRecipe CleanupRecipe::OnLegacyStream(std::shared_ptr<Context> context) {
  return CleanupRecipe(std::move(context), nullptr, CU_STREAM_LEGACY);
}

CleanupRecipe CleanupRecipe::OnPerThreadStream(std::shared_ptr<Context> context) {
  return CleanupRecipe(std::move(context), nullptr, CU_STREAM_PER_THREAD);
}

}  // namespace culprit::reference
