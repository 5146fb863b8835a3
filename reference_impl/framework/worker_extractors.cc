// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/worker_extractors.h"

#include <cerrno>

namespace culprit::reference {

void WorkerExtractors::Add(const ExtractorDescriptor& descriptor, const Options& options) {
  for (ExtractorVector& extractors : of_worker_) {
    extractors.Add(std::make_unique<ExtractorContext>(descriptor, options));
  }
}

Status WorkerExtractors::Prepare() {
  FirstError first;
  for (ExtractorVector& extractors : of_worker_) first.Note(extractors.Prepare());
  return first.Take();
}

Status WorkerExtractors::Destroy() {
  const bool prepared = std::all_of(of_worker_.begin(), of_worker_.end(),
                                    [](const auto& extractors) { return extractors.prepared(); });
  if (!prepared) return ExtractorFailure(-EBUSY, "a worker's extractor has not been closed");
  of_worker_.clear();
  return Status();
}

bool WorkerExtractors::quiet() const {
  return std::all_of(of_worker_.begin(), of_worker_.end(),
                     [](const auto& extractors) { return extractors.quiet(); });
}

}  // namespace culprit::reference
