// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/extractor_vector.h"

#include <algorithm>
#include <cerrno>

namespace culprit::reference {

ExtractorContext& ExtractorVector::Add(std::unique_ptr<ExtractorContext> context) {
  contexts_.push_back(std::move(context));
  return *contexts_.back();
}

Status ExtractorVector::Prepare() {
  FirstError first;
  for (const auto& context : contexts_) first.Note(context->Close());
  return first.Take();
}

Status ExtractorVector::Destroy() {
  if (!prepared()) return ExtractorFailure(-EBUSY, "an extractor has not been closed");
  contexts_.clear();
  return Status();
}

bool ExtractorVector::prepared() const {
  return std::all_of(contexts_.begin(), contexts_.end(),
                     [](const auto& context) { return context->prepared(); });
}

bool ExtractorVector::quiet() const {
  return std::all_of(contexts_.begin(), contexts_.end(),
                     [](const auto& context) { return context->quiet(); });
}

}  // namespace culprit::reference
