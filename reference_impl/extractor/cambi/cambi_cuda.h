// SPDX-License-Identifier: Apache-2.0
//
// Contrast-aware banding index, five scales, on a device: of the distorted picture, and with
// `full_ref` of the reference as well.
//
// Writes cambi of each frame, from 0, no banding, to 1000; with `full_ref` cambi_source and
// cambi_full_reference, too. Luma only. Init answers -EINVAL unless one side has 216 samples or
// more. Defined by the feature `cambi` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_CUDA_H_

#include <array>

#include "reference_impl/extractor/cambi/cambi_pooling.h"
#include "reference_impl/extractor/cambi/cambi_viewing.h"
#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/framework/table_upload.h"

namespace culprit::reference {

class CambiCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return 2 * kCambiScales * sizeof(CambiShare); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  Status FindFunctions();
  Status AllocateScratch(const std::shared_ptr<Context>& context);
  // The contrasts of a picture's scales, and their pooled shares at `shares`.
  Status LaunchPicture(const Picture& picture, CUdeviceptr shares);
  Status LaunchMask(const Picture& picture);
  Status LaunchScale(uint32_t scale);
  Status LaunchPooling(CUdeviceptr shares);
  double ScoreAt(uint32_t which) const;

  bool full_reference_ = false;
  uint32_t window_ = 1;
  CambiThresholds thresholds_{};
  CambiExtents extents_;
  CambiLayers layers_{};
  Module module_;
  TableUpload layer_table_;
  CUfunction widen_ = nullptr;
  CUfunction mask_rows_ = nullptr;
  CUfunction mask_columns_ = nullptr;
  CUfunction filter_ = nullptr;
  CUfunction contrast_ = nullptr;
  CUfunction start_share_ = nullptr;
  CUfunction count_digits_ = nullptr;
  CUfunction pick_digit_ = nullptr;
  CUfunction sum_share_ = nullptr;
  CUdeviceptr image_ = 0;   // ten bits, full size
  CUdeviceptr counts_ = 0;  // of flat samples in a row
  CUdeviceptr mask_ = 0;
  std::array<CUdeviceptr, kCambiScales> filtered_{};
  CUdeviceptr masked_ = 0;
  CUdeviceptr contrasts_ = 0;  // of every scale
  CUdeviceptr bins_ = 0;
  CUdeviceptr selections_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_CUDA_H_
