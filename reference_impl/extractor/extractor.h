// SPDX-License-Identifier: Apache-2.0
//
// What an extractor is. The framework calls Init once, then for every frame Submit and Collect in
// order, at the end a last Collect and Flush, and Close until it succeeded.
//
// On a GPU a frame's Collect comes after the next frame's turn began, when its `finished` event has
// been waited for. The last Collect comes before Flush, always: it brings home what is on the
// device, and only then does Flush say that no frame follows. Flushing first would finish a frame
// without the one after it.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_EXTRACTOR_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_EXTRACTOR_H_

#include <memory>

#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/kernel_lifecycle.h"
#include "reference_impl/framework/options.h"
#include "reference_impl/framework/picture.h"

namespace culprit::reference {

struct ExtractorSetup {
  Geometry geometry;
  std::shared_ptr<Context> context;  // null when no device state was imported
};

// One frame pair, on the host, on the device or both, as the extractors of the session need it.
struct FramePair {
  uint32_t index = 0;
  const FrameView* reference = nullptr;
  const FrameView* distorted = nullptr;
  const Picture* reference_picture = nullptr;
  const Picture* distorted_picture = nullptr;
};

enum class Reach { kMoreFrames, kLastFrame };

class Extractor {
 public:
  virtual ~Extractor() = default;

  // A failure leaves nothing behind; what its rollback could not release is released by Close.
  virtual Status Init(const ExtractorSetup& setup, const Options& options) = 0;
  virtual Status Submit(const FramePair& pair) = 0;
  virtual Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) = 0;
  virtual Status Flush(FeatureCollector&) { return Status(); }
  // Attempts every release that is safe, returns the first failure, and may then be called again.
  virtual Status Close() = 0;

  // Null for an extractor that has no stream, such as one that forces zero.
  virtual const KernelLifecycle* lifecycle() const { return nullptr; }
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_EXTRACTOR_H_
