// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_timeline.h"

#include <algorithm>
#include <cerrno>

namespace culprit::reference {

double MotionOf(uint64_t sum_of_absolute_differences, const Geometry& geometry) {
  const auto sum = static_cast<float>(static_cast<double>(sum_of_absolute_differences) / 256.0);
  const auto samples = static_cast<float>(uint64_t{geometry.width} * geometry.height);
  return sum / samples;
}

Status MotionTimeline::Append(uint32_t frame, double motion, FeatureCollector& collector) {
  if (options_.debug) {
    Status written = collector.Append(options_.keys.motion, frame, Capped(motion));
    if (!written.ok()) return written;
  }
  if (frame != motions_.size()) {
    return ExtractorFailure(-EINVAL, "motion of frame " + std::to_string(frame) + " out of turn");
  }
  motions_.push_back(motion);
  return ResolveAll(collector);
}

Status MotionTimeline::MeetSuccessor(double motion, FeatureCollector& collector) {
  successor_ = motion;
  Status resolved = ResolveAll(collector);
  successor_.reset();
  return resolved;
}

Status MotionTimeline::CloseLast(FeatureCollector& collector) {
  while (pending()) {
    Status resolved = Resolve(resolved_, collector);
    if (!resolved.ok()) return resolved;
  }
  return Status();
}

std::optional<double> MotionTimeline::At(size_t frame) const {
  if (frame < motions_.size()) return motions_[frame];
  return frame == motions_.size() ? successor_ : std::nullopt;
}

// The first frames have no predecessor to be compared with and borrow from the first frame that has
// one.
bool MotionTimeline::CanResolve(size_t frame) const {
  return At(std::max<size_t>(frame + 1, options_.distance())).has_value();
}

Status MotionTimeline::ResolveAll(FeatureCollector& collector) {
  while (pending() && CanResolve(resolved_)) {
    Status resolved = Resolve(resolved_, collector);
    if (!resolved.ok()) return resolved;
  }
  return Status();
}

Status MotionTimeline::Resolve(size_t frame, FeatureCollector& collector) {
  const size_t distance = options_.distance();
  const bool has_predecessor = frame >= distance;
  double motion2 = 0;
  double blend_source = At(distance).value_or(0.0);
  if (has_predecessor) {
    motion2 = motions_[frame];
    const std::optional<double> next = At(frame + 1);
    if (next && !options_.five_frame_window) motion2 = std::min(motion2, *next);
    if (next && options_.five_frame_window) {
      motion2 = frame > distance ? std::min(*next, motions_[frame - 1]) : *next;
    }
    blend_source = motion2;
  }
  const auto index = static_cast<uint32_t>(frame);
  const double blend = std::min(Blended(blend_source * options_.fps_weight), options_.max_value);
  const double motion3 =
      options_.moving_average && frame > 0 ? (blend + previous_blend_) / 2 : blend;
  previous_blend_ = blend;
  ++resolved_;
  Status written = collector.Append(options_.keys.motion2, index, Capped(motion2));
  if (!written.ok()) return written;
  return collector.Append(options_.keys.motion3, index, motion3);
}

double MotionTimeline::Capped(double motion) const {
  return std::min(motion * options_.fps_weight, options_.max_value);
}

double MotionTimeline::Blended(double motion) const {
  const double factor = options_.blend_factor;
  return motion * factor + (1 - factor) * std::min(options_.blend_offset, motion);
}

}  // namespace culprit::reference
