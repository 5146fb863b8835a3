// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion_v2/motion_v2_cuda.h"

#include <cerrno>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status MotionV2Cuda::Configure(const Options& options) {
  Status read = ReadMotionOptions(options, "", &options_);
  if (!read.ok()) return read;
  if (options_.five_frame_window) {
    return ExtractorFailure(-EINVAL, "this motion has no five-frame window");
  }
  options_.keys = {"VMAF_integer_feature_motion_v2_sad_score" + options_.suffix,
                   "VMAF_integer_feature_motion2_v2_score" + options_.suffix,
                   "VMAF_integer_feature_motion3_v2_score" + options_.suffix};
  timeline_.Start(options_);
  return Status();
}

Status MotionV2Cuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kMotionV2Ptx);
  if (!loaded.ok()) return loaded;
  const bool deep = geometry().bits > 8;
  Status keep = module_.Function(deep ? "motion_v2_keep_16bpc" : "motion_v2_keep_8bpc", &keep_);
  if (!keep.ok()) return keep;
  Status columns = module_.Function("motion_v2_columns", &columns_);
  if (!columns.ok()) return columns;
  Status rows = module_.Function("motion_v2_rows_sum", &rows_sum_);
  if (!rows.ok()) return rows;
  const size_t samples = size_t{geometry().width} * geometry().height;
  for (CUdeviceptr& luma : luma_) {
    Status allocated = scratch().Open(context, samples * sizeof(uint16_t), &luma);
    if (!allocated.ok()) return allocated;
  }
  return scratch().Open(context, samples * sizeof(int32_t), &filtered_);
}

Status MotionV2Cuda::Launch(const FramePair& pair) {
  const auto width = static_cast<int>(geometry().width);
  const auto height = static_cast<int>(geometry().height);
  const Picture& picture = *pair.reference_picture;
  const CUdeviceptr current = luma_[pair.index % 2];
  Status kept = LaunchOverPlane(stream(), keep_, geometry().width, geometry().height,
                                picture.plane(0), picture.pitch(0), current, width, height);
  if (!kept.ok() || pair.index == 0) return kept;
  const CUdeviceptr previous = luma_[(pair.index + 1) % 2];
  Status columns =
      LaunchOverPlane(stream(), columns_, geometry().width, geometry().height, previous, current,
                      filtered_, width, height, static_cast<int>(geometry().bits));
  if (!columns.ok()) return columns;
  return LaunchOverPlane(stream(), rows_sum_, geometry().width, geometry().height, filtered_,
                         results(), width, height);
}

Status MotionV2Cuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double samples = static_cast<double>(geometry().width) * geometry().height;
  const double distance =
      options_.force_zero ? 0 : static_cast<double>(Results<uint64_t>()[0]) / 256.0 / samples;
  return timeline_.Append(index, distance, collector);
}

}  // namespace culprit::reference
