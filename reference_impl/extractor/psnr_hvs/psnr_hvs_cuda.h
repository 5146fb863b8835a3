// SPDX-License-Identifier: Apache-2.0
//
// PSNR of what an eye sees, plane by plane, on a device. The tables of sensitivity are uploaded
// once, on a stream of their own.
//
// Writes psnr_hvs_y, psnr_hvs_cb, psnr_hvs_cr and their weighted psnr_hvs of each frame in dB,
// infinite where the planes are equal. Init answers -EINVAL without chroma, for more than 12 bits
// and for planes below 8x8. Defined by the feature `psnr_hvs` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_PSNR_HVS_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_PSNR_HVS_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/framework/table_upload.h"

namespace culprit::reference {

class PsnrHvsCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return FirstPartial(kMaxPlanes) * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  // Blocks of 8 x 8 samples, one every seven samples.
  uint32_t columns(uint32_t plane) const { return (geometry().plane_width(plane) - 1) / 7; }
  uint32_t rows(uint32_t plane) const { return (geometry().plane_height(plane) - 1) / 7; }
  size_t Partials(uint32_t plane) const { return BlocksOver(columns(plane), rows(plane)); }
  size_t FirstPartial(uint32_t plane) const;
  // The mean error of a plane, in units of its peak squared.
  double MeanError(uint32_t plane) const;

  Module module_;
  TableUpload sensitivities_;
  CUfunction errors_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_PSNR_HVS_CUDA_H_
