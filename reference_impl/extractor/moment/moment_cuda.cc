// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/moment/moment_cuda.h"

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status MomentCuda::Configure(const Options& options) { return OptionReader(options).Finish(); }

Status MomentCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kMomentPtx);
  if (!loaded.ok()) return loaded;
  return module_.Function(geometry().bits > 8 ? "moment_16bpc" : "moment_8bpc", &moments_);
}

Status MomentCuda::Launch(const FramePair& pair) {
  CUdeviceptr sums = results();
  for (const Picture* picture : {pair.reference_picture, pair.distorted_picture}) {
    Status launched =
        LaunchOverPlane(stream(), moments_, geometry().width, geometry().height, picture->plane(0),
                        picture->pitch(0), static_cast<int>(geometry().width),
                        static_cast<int>(geometry().height), sums);
    if (!launched.ok()) return launched;
    sums += 2 * sizeof(uint64_t);
  }
  return Status();
}

Status MomentCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  static constexpr const char* kKeys[] = {"float_moment_ref1st", "float_moment_ref2nd",
                                          "float_moment_dis1st", "float_moment_dis2nd"};
  const double scale = geometry().sample_scale();
  const double samples = static_cast<double>(geometry().width) * geometry().height;
  for (uint32_t i = 0; i < 4; ++i) {
    const double sum = static_cast<double>(Results<uint64_t>()[i]);
    const double unit = i % 2 == 0 ? scale : scale * scale;
    Status written = collector.Append(kKeys[i], index, sum / unit / samples);
    if (!written.ok()) return written;
  }
  return Status();
}

}  // namespace culprit::reference
