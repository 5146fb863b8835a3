// SPDX-License-Identifier: Apache-2.0
//
// From the distances of successive pictures to motion, motion2 and motion3, frame by frame.
//
// motion2 of a frame is the smaller of its own distance and the next frame's, so a frame stays
// pending until the next one is known. The last frame of the clip has no next one; only CloseLast
// may say so.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_TIMELINE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_TIMELINE_H_

#include <optional>
#include <vector>

#include "reference_impl/extractor/motion/motion_options.h"
#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"

namespace culprit::reference {

// The distance as a score, in binary32 as the reference definition has it.
double MotionOf(uint64_t sum_of_absolute_differences, const Geometry& geometry);

class MotionTimeline {
 public:
  void Start(const MotionOptions& options) { options_ = options; }

  // The next frame: writes its motion and resolves the frames that waited for it. -EINVAL if
  // `frame` is not the next one.
  Status Append(uint32_t frame, double motion, FeatureCollector& collector);
  // Resolves what is pending against the motion of the frame that will be appended next.
  Status MeetSuccessor(double motion, FeatureCollector& collector);
  // Resolves what is pending without a successor. Nothing to do if nothing is.
  Status CloseLast(FeatureCollector& collector);

  bool pending() const { return resolved_ < motions_.size(); }

 private:
  std::optional<double> At(size_t frame) const;
  bool CanResolve(size_t frame) const;
  Status ResolveAll(FeatureCollector& collector);
  Status Resolve(size_t frame, FeatureCollector& collector);
  double Capped(double motion) const;
  double Blended(double motion) const;

  MotionOptions options_;
  std::vector<double> motions_;      // of the frames appended
  std::optional<double> successor_;  // of the next one, if known early
  size_t resolved_ = 0;              // frames whose motion2 and motion3 are written
  double previous_blend_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_TIMELINE_H_
