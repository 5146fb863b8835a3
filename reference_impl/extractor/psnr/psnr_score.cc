// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/psnr/psnr_score.h"

#include <algorithm>
#include <cmath>

namespace culprit::reference {
namespace {

constexpr const char* kPlaneNames[kMaxPlanes] = {"y", "cb", "cr"};
constexpr double kSmallestMse = 1e-16;

}  // namespace

Status PsnrScore::Start(const Geometry& geometry, const Options& options) {
  bool chroma = true;
  bool reduced_peak = false;
  Status read = OptionReader(options)
                    .Flag("enable_chroma", "", &chroma)
                    .Flag("enable_mse", "", &mse_)
                    .Flag("reduced_hbd_peak", "", &reduced_peak)
                    .Finish();
  if (!read.ok()) return read;
  geometry_ = geometry;
  planes_ = chroma ? geometry.planes() : 1;
  peak_ = reduced_peak ? 255u << (geometry.bits - 8) : (1u << geometry.bits) - 1;
  return Status();
}

Status PsnrScore::Write(uint32_t index, std::span<const uint64_t> squared_errors,
                        FeatureCollector& collector) const {
  const double cap = 6.0 * geometry_.bits + 12;
  for (uint32_t plane = 0; plane < planes_; ++plane) {
    const double samples =
        static_cast<double>(geometry_.plane_width(plane)) * geometry_.plane_height(plane);
    const double mse = static_cast<double>(squared_errors[plane]) / samples;
    const double psnr = std::min(10 * std::log10(peak_ * peak_ / std::max(mse, kSmallestMse)), cap);
    const std::string name = kPlaneNames[plane];
    Status written = collector.Append("psnr_" + name, index, psnr);
    if (!written.ok()) return written;
    if (!mse_) continue;
    Status mse_written = collector.Append("mse_" + name, index, mse);
    if (!mse_written.ok()) return mse_written;
  }
  return Status();
}

}  // namespace culprit::reference
