// SPDX-License-Identifier: Apache-2.0
//
// The shape most CUDA extractors share: one life cycle, one read-back of results, scratch buffers,
// and modules of their own. What differs, the kernels and what their results mean, is in the
// derived class; the order of everything is here.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_CUDA_EXTRACTOR_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_CUDA_EXTRACTOR_H_

#include "reference_impl/extractor/extractor.h"
#include "reference_impl/framework/buffer_set.h"
#include "reference_impl/framework/launch.h"
#include "reference_impl/framework/readback.h"
#include "reference_impl/resource/module.h"

namespace culprit::reference {

class CudaExtractor : public Extractor {
 public:
  // Options first, the device after them; a failure on the device is unwound.
  Status Init(const ExtractorSetup& setup, const Options& options) final;
  // Zeroes the results, waits for the uploads, launches, and sends the results home.
  Status Submit(const FramePair& pair) final;
  // Stream, results, scratch, modules: nothing goes before what may still touch it.
  Status Close() final;
  const KernelLifecycle* lifecycle() const final { return on_device_ ? &lifecycle_ : nullptr; }

 protected:
  // What a derived class adds to the life cycle. Configure decides everything that needs no device.
  virtual Status Configure(const Options& options) = 0;
  // True: nothing of the device is made, and Launch is never called.
  virtual bool device_free() const { return false; }
  // Zeroed before a frame, sent home after it. 0 for an extractor that reads back buffers of its
  // own: it overrides ClearResults and SendHome.
  virtual size_t result_bytes() const = 0;
  virtual Status ClearResults();
  virtual Status SendHome();
  // Modules, functions, scratch. What it made before it failed is closed by Close.
  virtual Status OpenKernels(const std::shared_ptr<Context>& context) = 0;
  // Modules, and whatever else OpenKernels opened beside the scratch.
  virtual Status CloseModules() = 0;
  virtual Status Launch(const FramePair& pair) = 0;

  const Geometry& geometry() const { return geometry_; }
  const Stream& stream() const { return lifecycle_.stream(); }
  BufferSet& scratch() { return scratch_; }
  CUdeviceptr results() const { return results_.device(); }
  // Of the frame that was waited for.
  template <typename Value>
  const Value* Results() const {
    return static_cast<const Value*>(results_.host());
  }

 private:
  Status Create(const std::shared_ptr<Context>& context);

  Geometry geometry_;
  KernelLifecycle lifecycle_;
  ReadbackBytes results_;
  BufferSet scratch_;
  bool on_device_ = false;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_CUDA_EXTRACTOR_H_
