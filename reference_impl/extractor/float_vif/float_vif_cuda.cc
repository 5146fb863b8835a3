// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/float_vif/float_vif_cuda.h"

#include <algorithm>
#include <array>
#include <span>

#include "reference_impl/extractor/gaussian_window.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr int kLongestFilter = 17;

// By value to the kernels, which declare the same.
struct Filter {
  int length;
  float taps[kLongestFilter];
};

// The first filter is applied at full size, each next one leads to its scale and is applied there.
constexpr int kLengths[kVifScales] = {kLongestFilter, 9, 5, 3};

// Gaussians whose standard deviation is a fifth of their length.
std::array<Filter, kVifScales> MakeFilters() {
  std::array<Filter, kVifScales> filters;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    std::array<double, kLongestFilter> taps{};
    const int length = kLengths[scale];
    FillGaussianWindow(length / 5.0, std::span(taps).first(length));
    filters[scale] = {length, {}};
    std::copy(taps.begin(), taps.end(), filters[scale].taps);
  }
  return filters;
}

const Filter& FilterOf(uint32_t scale) {
  static const std::array<Filter, kVifScales> filters = MakeFilters();
  return filters[scale];
}

}  // namespace

Status FloatVifCuda::Configure(const Options& options) {
  return score_.Start("vif", geometry(), options);
}

Status FloatVifCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kFloatVifPtx);
  if (!loaded.ok()) return loaded;
  Status found = module_.Functions({
      {geometry().bits > 8 ? "float_vif_convert_16bpc" : "float_vif_convert_8bpc", &convert_},
      {"float_vif_columns", &columns_},
      {"float_vif_rows", &rows_},
      {"float_vif_shrink_columns", &shrink_columns_},
      {"float_vif_shrink_rows", &shrink_rows_},
  });
  if (!found.ok()) return found;
  return buffers_.Open(scratch(), context, score_, sizeof(float), sizeof(float));
}

Status FloatVifCuda::Launch(const FramePair& pair) {
  Status reference = Convert(*pair.reference_picture, buffers_.pictures[0].reference);
  if (!reference.ok()) return reference;
  Status distorted = Convert(*pair.distorted_picture, buffers_.pictures[0].distorted);
  if (!distorted.ok()) return distorted;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    Status launched = LaunchScale(scale);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status FloatVifCuda::Convert(const Picture& picture, CUdeviceptr target) {
  return LaunchOverPlane(stream(), convert_, geometry().width, geometry().height, picture.plane(0),
                         picture.pitch(0), target, static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height), geometry().sample_scale());
}

Status FloatVifCuda::LaunchScale(uint32_t scale) {
  const VifScratch::Pictures& pictures = buffers_.pictures[scale];
  if (scale > 0) {
    Status reference = Shrink(scale, buffers_.pictures[scale - 1].reference, pictures.reference);
    if (!reference.ok()) return reference;
    Status distorted = Shrink(scale, buffers_.pictures[scale - 1].distorted, pictures.distorted);
    if (!distorted.ok()) return distorted;
  }
  const VifExtent& extent = score_.extent(scale);
  const auto width = static_cast<int>(extent.width);
  const auto height = static_cast<int>(extent.height);
  const Filter& filter = FilterOf(scale);
  Status columns =
      LaunchOverPlane(stream(), columns_, extent.width, extent.height, pictures.reference,
                      pictures.distorted, buffers_.moments, width, height, filter);
  if (!columns.ok()) return columns;
  const CUdeviceptr partials = results() + FirstPartial(scale) * sizeof(double);
  return LaunchOverPlane(stream(), rows_, extent.width, extent.height, buffers_.moments, partials,
                         width, height, static_cast<int>(Blocks(scale)), filter,
                         static_cast<float>(score_.gain_limit()));
}

Status FloatVifCuda::Shrink(uint32_t to, CUdeviceptr source, CUdeviceptr target) {
  const VifExtent& from = score_.extent(to - 1);
  const VifExtent& scale = score_.extent(to);
  const Filter& filter = FilterOf(to);
  Status columns =
      LaunchOverPlane(stream(), shrink_columns_, from.width, scale.height, source,
                      buffers_.half_filtered, static_cast<int>(from.width),
                      static_cast<int>(from.height), static_cast<int>(scale.height), filter);
  if (!columns.ok()) return columns;
  return LaunchOverPlane(stream(), shrink_rows_, scale.width, scale.height, buffers_.half_filtered,
                         target, static_cast<int>(from.width), static_cast<int>(scale.width),
                         static_cast<int>(scale.height), filter);
}

size_t FloatVifCuda::Blocks(uint32_t scale) const {
  return BlocksOver(score_.extent(scale).width, score_.extent(scale).height);
}

size_t FloatVifCuda::FirstPartial(uint32_t scale) const {
  size_t first = 0;
  for (uint32_t before = 0; before < scale; ++before) first += 2 * Blocks(before);
  return first;
}

Status FloatVifCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  std::array<VifInformation, kVifScales> scales;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    const double* partials = Results<double>() + FirstPartial(scale);
    const double numerator = SumOf(partials, Blocks(scale));
    const double denominator = SumOf(partials + Blocks(scale), Blocks(scale));
    scales[scale] = {numerator, denominator, numerator / denominator};
  }
  return score_.Write(index, scales, collector);
}

}  // namespace culprit::reference
