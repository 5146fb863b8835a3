// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/batched_motion.h"

#include <cerrno>

namespace culprit::reference {

Status BatchedMotion::Init(const ExtractorSetup& setup, const Options& options) {
  Status read = ReadMotionOptions(options, key_prefix(), &options_);
  if (!read.ok()) return read;
  geometry_ = setup.geometry;
  timeline_.Start(options_);
  if (options_.force_zero) return Status();
  return OpenDevice(setup);
}

Status BatchedMotion::Submit(const FramePair& pair) {
  if (pair.index != submitted_) {
    return ExtractorFailure(-EINVAL, "frame " + std::to_string(pair.index) + " came when frame " +
                                         std::to_string(submitted_) + " was expected");
  }
  if (!options_.force_zero) {
    Status submitted = SubmitDistance(pair, pair.index % kBatch);
    if (!submitted.ok()) return submitted;
  }
  ++submitted_;
  return Status();
}

Status BatchedMotion::Collect(uint32_t index, Reach reach, FeatureCollector& collector) {
  if (options_.force_zero) return WriteZeros(index, collector);
  if (EndsBatch(index)) return AppendDistances(index + 1 - kBatch, kBatch, collector);
  if (reach == Reach::kLastFrame && timeline_.pending()) return CollectBoundary(collector);
  return Status();
}

Status BatchedMotion::AppendDistances(uint32_t first_frame, uint32_t count,
                                      FeatureCollector& collector) {
  uint32_t frame = first_frame;
  for (const uint64_t distance : Distances(0, count)) {
    Status appended = timeline_.Append(frame++, MotionOf(distance, geometry_), collector);
    if (!appended.ok()) return appended;
  }
  collected_ = frame;
  return Status();
}

Status BatchedMotion::CollectBoundary(FeatureCollector& collector) {
  Status fetched = FetchDistances(0, 1);
  if (!fetched.ok()) return fetched;
  return timeline_.MeetSuccessor(MotionOf(Distances(0, 1)[0], geometry_), collector);
}

Status BatchedMotion::Flush(FeatureCollector& collector) {
  Status closed = timeline_.CloseLast(collector);
  if (!closed.ok()) return closed;
  return DrainTail(collector);
}

Status BatchedMotion::DrainTail(FeatureCollector& collector) {
  const uint32_t tail = submitted_ - collected_;
  if (tail == 0 || options_.force_zero) return Status();
  Status fetched = FetchDistances(0, tail);
  if (!fetched.ok()) return fetched;
  Status appended = AppendDistances(collected_, tail, collector);
  if (!appended.ok()) return appended;
  return timeline_.CloseLast(collector);
}

Status BatchedMotion::WriteZeros(uint32_t index, FeatureCollector& collector) const {
  if (options_.debug) {
    Status motion = collector.Append(options_.keys.motion, index, 0.0);
    if (!motion.ok()) return motion;
  }
  Status motion2 = collector.Append(options_.keys.motion2, index, 0.0);
  if (!motion2.ok()) return motion2;
  return collector.Append(options_.keys.motion3, index, 0.0);
}

}  // namespace culprit::reference
