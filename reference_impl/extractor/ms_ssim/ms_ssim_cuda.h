// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on fractions at five scales, on a device. Every scale has partial sums of
// its own, with a read-back of its own.
//
// Writes float_ms_ssim of each frame, without unit: 1 where the pictures are equal; with
// `enable_db` in dB; with `enable_lcs` luminance, contrast and structure of every scale, too. Luma
// only. Init answers -EINVAL for pictures below 176x176. Defined by the feature `float_ms_ssim` of
// lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_CUDA_H_

#include <array>

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/ms_ssim/ms_ssim_score.h"

namespace culprit::reference {

class MsSsimCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return 0; }
  Status ClearResults() override;
  Status SendHome() override;
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  static constexpr uint32_t kTaps = 11;

  struct Scale {
    uint32_t width = 0;
    uint32_t height = 0;
    std::array<CUdeviceptr, 2> pictures{};  // reference, distorted
    Readback<double> partials;              // luminance, contrast, structure

    // Where the window is inside the picture.
    uint32_t inner_width() const { return width - kTaps + 1; }
    uint32_t inner_height() const { return height - kTaps + 1; }
    size_t blocks() const { return BlocksOver(inner_width(), inner_height()); }
    size_t partial_count() const { return 3 * blocks(); }
    MsSsimMeans Means() const;
  };

  Status FindFunctions();
  Status OpenScale(const std::shared_ptr<Context>& context, Scale& scale);
  Status Convert(const Picture& picture, CUdeviceptr target);
  Status Shrink(const Scale& from, const Scale& to);
  Status Compare(const Scale& scale);

  MsSsimScore score_;
  std::array<Scale, kMsSsimScales> scales_;
  Module module_;
  CUfunction convert_ = nullptr;
  CUfunction shrink_columns_ = nullptr;
  CUfunction shrink_rows_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction columns_ = nullptr;
  CUdeviceptr half_filtered_ = 0;
  CUdeviceptr moments_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_CUDA_H_
