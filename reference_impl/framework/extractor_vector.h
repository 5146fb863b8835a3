// SPDX-License-Identifier: Apache-2.0
//
// Extractors with one owner, and the two halves of giving them up: Prepare does everything that can
// fail and keeps everything that did; Destroy frees the storage and refuses while anything
// unprepared is in it.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_VECTOR_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_VECTOR_H_

#include <memory>
#include <vector>

#include "reference_impl/framework/extractor_context.h"

namespace culprit::reference {

class ExtractorVector {
 public:
  using Contexts = std::vector<std::unique_ptr<ExtractorContext>>;

  ExtractorContext& Add(std::unique_ptr<ExtractorContext> context);

  // Attempts every close; the first failure. A retry closes only what is left.
  Status Prepare();
  // -EBUSY while an extractor is not prepared; nothing is freed then.
  Status Destroy();

  bool prepared() const;
  bool quiet() const;

  const Contexts& contexts() const { return contexts_; }

 private:
  Contexts contexts_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_VECTOR_H_
