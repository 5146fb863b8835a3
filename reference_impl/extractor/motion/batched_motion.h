// SPDX-License-Identifier: Apache-2.0
//
// Motion on a device: distances stay there until a batch is full and come home together.
//
// The last frame of a collected batch is the boundary. Its motion2 needs the first frame of the
// next batch, so it waits until that one is collected; the last Collect, which may find the next
// batch unfinished, reads that one distance for it. Flush comes after it: a boundary that still
// waits is the last frame of the clip, and what was never collected is the tail.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_BATCHED_MOTION_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_BATCHED_MOTION_H_

#include <span>

#include "reference_impl/extractor/extractor.h"
#include "reference_impl/extractor/motion/motion_timeline.h"

namespace culprit::reference {

class BatchedMotion : public Extractor {
 public:
  static constexpr uint32_t kBatch = 16;

  // Options and keys first, then the decision for force-zero, and only then anything of the device.
  Status Init(const ExtractorSetup& setup, const Options& options) final;
  Status Submit(const FramePair& pair) final;
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) final;
  Status Flush(FeatureCollector& collector) final;

 protected:
  // Two extractors of one session write different keys.
  virtual const char* key_prefix() const { return "integer_"; }
  virtual Status OpenDevice(const ExtractorSetup& setup) = 0;
  // Works out the distance of `pair` into `slot`, and, if it is the batch's last, sends the batch
  // home.
  virtual Status SubmitDistance(const FramePair& pair, uint32_t slot) = 0;
  // The distances of slots `first` .. `first + count - 1` of a batch that was sent home and waited
  // for.
  virtual std::span<const uint64_t> Distances(uint32_t first, uint32_t count) const = 0;
  // Brings slots of an unfinished batch home, now.
  virtual Status FetchDistances(uint32_t first, uint32_t count) = 0;

  const MotionOptions& options() const { return options_; }
  const Geometry& geometry() const { return geometry_; }
  static bool EndsBatch(uint32_t index) { return (index + 1) % kBatch == 0; }

 private:
  // Of the batch that has come home, from its first slot on.
  Status AppendDistances(uint32_t first_frame, uint32_t count, FeatureCollector& collector);
  Status CollectBoundary(FeatureCollector& collector);
  Status DrainTail(FeatureCollector& collector);
  Status WriteZeros(uint32_t index, FeatureCollector& collector) const;

  MotionOptions options_;
  Geometry geometry_;
  MotionTimeline timeline_;
  uint32_t submitted_ = 0;  // frames
  uint32_t collected_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_BATCHED_MOTION_H_
