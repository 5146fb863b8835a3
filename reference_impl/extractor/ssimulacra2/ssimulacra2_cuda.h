// SPDX-License-Identifier: Apache-2.0
//
// SSIMULACRA 2 on a device: two modules, one for the colours of the six scales, one for what is
// compared in them. The table from encoded to linear light is uploaded once, on a stream of its
// own.
//
// Writes ssimulacra2 of each frame, without unit: 100 where the pictures are equal, less for worse,
// also below 0. Init answers -EINVAL without chroma and for pictures below 8x8. Defined by the
// feature `ssimulacra2` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_CUDA_H_

#include <array>
#include <vector>

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/ssimulacra2/recursive_gaussian.h"
#include "reference_impl/extractor/ssimulacra2/ssimulacra2_score.h"
#include "reference_impl/framework/table_upload.h"

namespace culprit::reference {

class Ssimulacra2Cuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return partials_ * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  struct Scale {
    uint32_t width = 0;
    uint32_t height = 0;
    size_t first_partial = 0;  // of all planes' maps

    size_t samples() const { return size_t{width} * height; }
    size_t blocks() const { return BlocksOver(width, height); }
  };
  // Three planes each.
  struct Colours {
    CUdeviceptr linear = 0;  // of this scale
    CUdeviceptr next = 0;    // linear, of the scale after it
    CUdeviceptr opponent = 0;
  };

  Status FindFunctions();
  Status AllocateScratch(const std::shared_ptr<Context>& context);
  Status ToLinear(const Picture& picture, CUdeviceptr target);
  Status Halve(uint32_t from, Colours& colours);
  Status ToOpponent(const Scale& scale, const Colours& colours);
  Status LaunchScale(const Scale& scale);
  Status Compare(const Scale& scale, uint32_t plane);
  Ssimulacra2Maps MapsOf(const Scale& scale, uint32_t plane) const;

  RecursiveGaussian gaussian_{};
  std::vector<Scale> scales_;
  size_t partials_ = 0;
  Module color_module_;
  Module blur_module_;
  TableUpload light_table_;
  CUfunction linear_ = nullptr;
  CUfunction halve_ = nullptr;
  CUfunction opponent_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction maps_ = nullptr;
  std::array<Colours, 2> colours_;  // reference, distorted
  CUdeviceptr blurred_rows_ = 0;
  CUdeviceptr blurred_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_CUDA_H_
