// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/psnr_hvs/psnr_hvs_cuda.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

#include "reference_impl/extractor/psnr_hvs/hvs_sensitivity.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kBlockSamples = 64;
constexpr uint32_t kSmallestSide = 8;
constexpr uint32_t kMostBits = 12;  // deeper samples overflow the integer transform
constexpr const char* kKeys[kMaxPlanes] = {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr"};

double Decibels(double error) { return -10 * std::log10(error); }

}  // namespace

Status PsnrHvsCuda::Configure(const Options& options) {
  Status read = OptionReader(options).Finish();
  if (!read.ok()) return read;
  if (geometry().planes() != kMaxPlanes || geometry().bits > kMostBits) {
    return ExtractorFailure(-EINVAL, "psnr_hvs needs three planes of at most 12 bits");
  }
  if (std::min(geometry().plane_width(1), geometry().plane_height(1)) < kSmallestSide) {
    return ExtractorFailure(-EINVAL, "psnr_hvs needs planes of 8x8 or more");
  }
  return Status();
}

Status PsnrHvsCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kPsnrHvsPtx);
  if (!loaded.ok()) return loaded;
  Status found =
      module_.Function(geometry().bits > 8 ? "psnr_hvs_16bpc" : "psnr_hvs_8bpc", &errors_);
  if (!found.ok()) return found;
  std::array<HvsSensitivity, kMaxPlanes> tables;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) tables[plane] = HvsSensitivityOf(plane);
  return sensitivities_.Open(context, tables.data(), sizeof tables);
}

Status PsnrHvsCuda::CloseModules() {
  FirstError first;
  first.Note(sensitivities_.Close());
  first.Note(module_.Close());
  return first.Take();
}

Status PsnrHvsCuda::Launch(const FramePair& pair) {
  Status uploaded = stream().Wait(sensitivities_.ready());
  if (!uploaded.ok()) return uploaded;
  const Picture& reference = *pair.reference_picture;
  const Picture& distorted = *pair.distorted_picture;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    const CUdeviceptr sensitivity = sensitivities_.get() + plane * sizeof(HvsSensitivity);
    const CUdeviceptr partials = results() + FirstPartial(plane) * sizeof(double);
    Status launched = LaunchOverPlane(
        stream(), errors_, columns(plane), rows(plane), reference.plane(plane),
        reference.pitch(plane), distorted.plane(plane), distorted.pitch(plane),
        static_cast<int>(columns(plane)), static_cast<int>(rows(plane)), sensitivity, partials);
    if (!launched.ok()) return launched;
  }
  return Status();
}

size_t PsnrHvsCuda::FirstPartial(uint32_t plane) const {
  size_t first = 0;
  for (uint32_t before = 0; before < plane; ++before) first += Partials(before);
  return first;
}

double PsnrHvsCuda::MeanError(uint32_t plane) const {
  const double peak = (1u << geometry().bits) - 1;
  const double samples = static_cast<double>(columns(plane)) * rows(plane) * kBlockSamples;
  return SumOf(Results<double>() + FirstPartial(plane), Partials(plane)) / samples / (peak * peak);
}

Status PsnrHvsCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  constexpr double kWeights[kMaxPlanes] = {0.8, 0.1, 0.1};
  double combined = 0;
  FirstError first;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    const double error = MeanError(plane);
    combined += kWeights[plane] * error;
    first.Note(collector.Append(kKeys[plane], index, Decibels(error)));
  }
  first.Note(collector.Append("psnr_hvs", index, Decibels(combined)));
  return first.Take();
}

}  // namespace culprit::reference
