// SPDX-License-Identifier: Apache-2.0
//
// An extractor with what the framework must remember of it.
//
// `close_required` is published before a CUDA extractor's Init, so that one whose Init failed, and
// whose rollback failed too, is still closed. Other extractors are closed only if their Init
// succeeded: nobody has shown that they bear anything else.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_CONTEXT_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_CONTEXT_H_

#include <memory>

#include "reference_impl/extractor/registry.h"

namespace culprit::reference {

class ExtractorContext {
 public:
  ExtractorContext(const ExtractorDescriptor& descriptor, Options options)
      : ExtractorContext(descriptor, std::move(options), descriptor.create()) {}
  ExtractorContext(const ExtractorDescriptor& descriptor, Options options,
                   std::unique_ptr<Extractor> extractor)
      : descriptor_(descriptor), options_(std::move(options)), extractor_(std::move(extractor)) {}

  // Once; later calls do nothing.
  Status Init(const ExtractorSetup& setup);
  Status Submit(const FramePair& pair);
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector);
  Status Flush(FeatureCollector& collector);
  // Submit, wait for the device, Collect: for workers, which keep nothing in flight.
  Status Extract(const FramePair& pair, const ExtractorSetup& setup, FeatureCollector& collector);

  // Retryable; nothing to do for one that needs no close.
  Status Close();
  // Nothing is left to close: the storage may go.
  bool prepared() const { return !initialized_ && !close_required_; }
  // No work of it can still touch a picture.
  bool quiet() const;

  const ExtractorDescriptor& descriptor() const { return descriptor_; }
  const Options& options() const { return options_; }
  const KernelLifecycle* lifecycle() const {
    return initialized_ ? extractor_->lifecycle() : nullptr;
  }

 private:
  std::string Where(const char* step) const { return std::string(descriptor_.name) + ": " + step; }

  const ExtractorDescriptor& descriptor_;
  Options options_;
  std::unique_ptr<Extractor> extractor_;
  bool initialized_ = false;
  bool close_required_ = false;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_EXTRACTOR_CONTEXT_H_
