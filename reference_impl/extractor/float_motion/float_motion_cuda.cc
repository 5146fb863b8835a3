// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/float_motion/float_motion_cuda.h"

#include <cerrno>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

bool TapsOf(double size, std::array<float, 3>* taps) {
  if (size == 5) *taps = {0.054488685f, 0.244201342f, 0.402619947f};
  if (size == 3) *taps = {0.0f, 0.166378498f, 0.667243004f};
  if (size == 1) *taps = {0.0f, 0.0f, 1.0f};
  return size == 5 || size == 3 || size == 1;
}

}  // namespace

Status FloatMotionCuda::Configure(const Options& options) {
  double filter_size = 5;
  Status read = OptionReader(options)
                    .Flag("debug", "", &options_.debug)
                    .Flag("motion_add_scale1", "mdc", &add_half_size_)
                    .Number("motion_blend_factor", "mbf", &options_.blend_factor)
                    .Number("motion_blend_offset", "mbo", &options_.blend_offset)
                    .Number("motion_filter_size", "mfs", &filter_size)
                    .Flag("motion_force_zero", "force_0", &options_.force_zero)
                    .Number("motion_fps_weight", "mfw", &options_.fps_weight)
                    .Number("motion_max_val", "mmxv", &options_.max_value)
                    .Flag("motion_moving_average", "mma", &options_.moving_average)
                    .Finish(&options_.suffix);
  if (!read.ok()) return read;
  if (!TapsOf(filter_size, &taps_)) {
    return ExtractorFailure(-EINVAL, "motion_filter_size is 1, 3 or 5");
  }
  const std::string& suffix = options_.suffix;
  options_.keys = {"motion" + suffix, "motion2" + suffix, "motion3" + suffix};
  timeline_.Start(options_);
  return Status();
}

Status FloatMotionCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kFloatMotionPtx);
  if (!loaded.ok()) return loaded;
  const bool deep = geometry().bits > 8;
  Status columns = module_.Function(
      deep ? "float_motion_columns_16bpc" : "float_motion_columns_8bpc", &columns_);
  if (!columns.ok()) return columns;
  Status rows = module_.Function("float_motion_rows_sad", &rows_sad_);
  if (!rows.ok()) return rows;
  Status half = module_.Function("float_motion_half_size_sad", &half_size_sad_);
  if (!half.ok()) return half;
  const size_t picture_bytes = sizeof(float) * geometry().width * geometry().height;
  for (CUdeviceptr* picture : {&filtered_, &blurred_[0], &blurred_[1]}) {
    Status allocated = scratch().Open(context, picture_bytes, picture);
    if (!allocated.ok()) return allocated;
  }
  return Status();
}

Status FloatMotionCuda::Launch(const FramePair& pair) {
  const auto width = static_cast<int>(geometry().width);
  const auto height = static_cast<int>(geometry().height);
  const Picture& picture = *pair.reference_picture;
  Status columns = LaunchOverPlane(stream(), columns_, geometry().width, geometry().height,
                                   picture.plane(0), picture.pitch(0), filtered_, width, height,
                                   geometry().sample_scale(), taps_[0], taps_[1], taps_[2]);
  if (!columns.ok()) return columns;
  const CUdeviceptr current = blurred_[pair.index % 2];
  const CUdeviceptr previous = pair.index == 0 ? CUdeviceptr{0} : blurred_[(pair.index + 1) % 2];
  Status rows =
      LaunchOverPlane(stream(), rows_sad_, geometry().width, geometry().height, filtered_, current,
                      previous, results(), width, height, taps_[0], taps_[1], taps_[2]);
  if (!rows.ok() || !add_half_size_ || pair.index == 0) return rows;
  return LaunchOverPlane(stream(), half_size_sad_, half_width(), half_height(), current, previous,
                         results() + full_blocks() * sizeof(double), width, height,
                         static_cast<int>(half_width()), static_cast<int>(half_height()));
}

double FloatMotionCuda::Distance() const {
  const auto* partials = Results<double>();
  const double samples = static_cast<double>(geometry().width) * geometry().height;
  const double distance = SumOf(partials, full_blocks()) / samples;
  if (!add_half_size_) return distance;
  const double half_samples = static_cast<double>(half_width()) * half_height();
  return distance +
         SumOf(partials + full_blocks(), BlocksOver(half_width(), half_height())) / half_samples;
}

Status FloatMotionCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return timeline_.Append(index, options_.force_zero ? 0 : Distance(), collector);
}

}  // namespace culprit::reference
