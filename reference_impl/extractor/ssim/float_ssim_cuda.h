// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on fractions, on a device, of pictures that are shrunk first when they are
// large. Every block leaves partial sums.
//
// Writes float_ssim of each frame, without unit: 1 where the pictures are equal; with `enable_db`
// in dB; with `enable_lcs` the means of luminance, contrast and structure, too. Luma only. Init
// answers -EINVAL below 11x11. Defined by the feature `float_ssim` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_FLOAT_SSIM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_FLOAT_SSIM_CUDA_H_

#include <array>

#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class FloatSsimCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return kMeans * blocks() * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  static constexpr uint32_t kTaps = 11;
  static constexpr uint32_t kMeans = 4;  // similarity, luminance, contrast, structure

  // Where the window is inside the picture.
  uint32_t inner_width() const { return width_ - kTaps + 1; }
  uint32_t inner_height() const { return height_ - kTaps + 1; }
  size_t blocks() const { return BlocksOver(inner_width(), inner_height()); }
  double Mean(uint32_t which) const;

  bool lcs_ = false;
  bool decibels_ = false;
  bool clip_decibels_ = false;
  uint32_t factor_ = 1;
  uint32_t width_ = 0;  // of the pictures that are compared
  uint32_t height_ = 0;
  Module module_;
  CUfunction shrink_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction columns_ = nullptr;
  std::array<CUdeviceptr, 2> pictures_{};
  CUdeviceptr moments_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_FLOAT_SSIM_CUDA_H_
