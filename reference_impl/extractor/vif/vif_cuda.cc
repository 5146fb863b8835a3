// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/vif/vif_cuda.h"

#include <cmath>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kLongestFilter = 17;

// By value to the kernels, which declare the same.
struct Filter {
  int length;
  unsigned taps[kLongestFilter];
};

// Gaussians with sum 65536; the first is applied at full size, each next one leads to its scale and
// is applied there.
constexpr Filter kFilters[kVifScales] = {
    {17,
     {489, 935, 1640, 2640, 3896, 5274, 6547, 7455, 7784, 7455, 6547, 5274, 3896, 2640, 1640, 935,
      489}},
    {9, {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244}},
    {5, {3571, 16004, 26386, 16004, 3571}},
    {3, {10904, 43728, 10904}},
};

// 2048 * log2 of 32767 to 65535.
std::vector<uint16_t> LogTable() {
  std::vector<uint16_t> table;
  for (uint32_t i = 32767; i < 65536; ++i) {
    const auto logarithm = static_cast<float>(std::log2(static_cast<double>(i)));
    table.push_back(static_cast<uint16_t>(std::floor(double{logarithm} * 2048 + 0.5)));
  }
  return table;
}

}  // namespace

Status VifCuda::Configure(const Options& options) {
  return score_.Start("integer_vif", geometry(), options);
}

Status VifCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kVifPtx);
  if (!loaded.ok()) return loaded;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  const std::vector<uint16_t> table = LogTable();
  Status uploaded = log_table_.Open(context, table.data(), table.size() * sizeof(uint16_t));
  if (!uploaded.ok()) return uploaded;
  return buffers_.Open(scratch(), context, score_, sizeof(uint16_t), sizeof(uint32_t));
}

Status VifCuda::CloseModules() {
  FirstError first;
  first.Note(log_table_.Close());
  first.Note(module_.Close());
  return first.Take();
}

Status VifCuda::FindFunctions() {
  return module_.Functions({
      {geometry().bits > 8 ? "vif_widen_16bpc" : "vif_widen_8bpc", &widen_},
      {"vif_columns", &columns_},
      {"vif_rows", &rows_},
      {"vif_shrink_columns", &shrink_columns_},
      {"vif_shrink_rows", &shrink_rows_},
  });
}

Status VifCuda::Launch(const FramePair& pair) {
  Status table = stream().Wait(log_table_.ready());
  if (!table.ok()) return table;
  Status reference = Widen(*pair.reference_picture, buffers_.pictures[0].reference);
  if (!reference.ok()) return reference;
  Status distorted = Widen(*pair.distorted_picture, buffers_.pictures[0].distorted);
  if (!distorted.ok()) return distorted;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    Status launched = LaunchScale(scale);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status VifCuda::Widen(const Picture& picture, CUdeviceptr target) {
  return LaunchOverPlane(stream(), widen_, geometry().width, geometry().height, picture.plane(0),
                         picture.pitch(0), target, static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height));
}

Status VifCuda::LaunchScale(uint32_t index) {
  const VifScratch::Pictures& pictures = buffers_.pictures[index];
  if (index > 0) {
    Status reference = Shrink(index, buffers_.pictures[index - 1].reference, pictures.reference);
    if (!reference.ok()) return reference;
    Status distorted = Shrink(index, buffers_.pictures[index - 1].distorted, pictures.distorted);
    if (!distorted.ok()) return distorted;
  }
  const VifExtent& extent = score_.extent(index);
  const auto width = static_cast<int>(extent.width);
  const auto height = static_cast<int>(extent.height);
  const auto bits = static_cast<int>(geometry().bits);
  const int mu_shift = index == 0 ? bits : 16;
  const int square_shift = index == 0 ? 2 * (bits - 8) : 16;
  Status columns = LaunchOverPlane(stream(), columns_, extent.width, extent.height,
                                   pictures.reference, pictures.distorted, buffers_.moments, width,
                                   height, kFilters[index], mu_shift, square_shift);
  if (!columns.ok()) return columns;
  const CUdeviceptr sums = results() + index * kSums * sizeof(uint64_t);
  return LaunchOverPlane(stream(), rows_, extent.width, extent.height, buffers_.moments,
                         log_table_.get(), sums, width, height, kFilters[index],
                         score_.gain_limit());
}

Status VifCuda::Shrink(uint32_t to, CUdeviceptr source, CUdeviceptr target) {
  const VifExtent& from = score_.extent(to - 1);
  const VifExtent& scale = score_.extent(to);
  const int shift = to == 1 ? static_cast<int>(geometry().bits) : 16;
  Status columns = LaunchOverPlane(stream(), shrink_columns_, from.width, scale.height, source,
                                   buffers_.half_filtered, static_cast<int>(from.width),
                                   static_cast<int>(from.height), static_cast<int>(scale.height),
                                   kFilters[to], shift);
  if (!columns.ok()) return columns;
  return LaunchOverPlane(stream(), shrink_rows_, scale.width, scale.height, buffers_.half_filtered,
                         target, static_cast<int>(from.width), static_cast<int>(scale.width),
                         static_cast<int>(scale.height), kFilters[to]);
}

VifInformation VifCuda::InformationOf(uint32_t scale) const {
  const uint64_t* sums = Results<uint64_t>() + scale * kSums;
  const double flat = static_cast<double>(sums[2]);
  const double lost = static_cast<double>(sums[3]) / 16384.0 / 65025.0;
  const auto numerator = static_cast<float>(static_cast<double>(sums[0]) / 2048.0 + (flat - lost));
  const auto denominator = static_cast<float>(static_cast<double>(sums[1]) / 2048.0 + flat);
  return {numerator, denominator, numerator / denominator};
}

Status VifCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  std::array<VifInformation, kVifScales> scales;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) scales[scale] = InformationOf(scale);
  return score_.Write(index, scales, collector);
}

}  // namespace culprit::reference
