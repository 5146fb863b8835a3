// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ssimulacra2/ssimulacra2_cuda.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include "reference_impl/extractor/picture_planes.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 8;  // of a scale that is compared
constexpr double kDeviation = 1.5;     // of the Gaussian, in samples
constexpr uint32_t kBlurredPlanes = 5;
constexpr size_t kMapSums = 6;
constexpr int kTableEntries = 1024;

// From encoded light, 0 to 1, to linear light, after IEC 61966-2-1.
std::vector<float> LightTable() {
  std::vector<float> table;
  for (int i = 0; i < kTableEntries; ++i) {
    const double encoded = static_cast<double>(i) / (kTableEntries - 1);
    const double linear =
        encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    table.push_back(static_cast<float>(linear));
  }
  return table;
}

}  // namespace

Status Ssimulacra2Cuda::Configure(const Options& options) {
  Status read = OptionReader(options).Finish();
  if (!read.ok()) return read;
  if (geometry().planes() < kMaxPlanes) {
    return ExtractorFailure(-EINVAL, "ssimulacra2 needs chroma planes");
  }
  uint32_t width = geometry().width;
  uint32_t height = geometry().height;
  scales_.clear();
  partials_ = 0;
  while (scales_.size() < kSsimulacra2Scales && std::min(width, height) >= kSmallestSide) {
    scales_.push_back({width, height, partials_});
    partials_ += kSsimulacra2Planes * kMapSums * scales_.back().blocks();
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  if (scales_.empty()) {
    return ExtractorFailure(-EINVAL, "ssimulacra2 needs pictures of 8x8 or more");
  }
  gaussian_ = GaussianOf(kDeviation);
  return Status();
}

Status Ssimulacra2Cuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status color = color_module_.Open(context, kernels::kSsimulacra2ColorPtx);
  if (!color.ok()) return color;
  Status blur = blur_module_.Open(context, kernels::kSsimulacra2BlurPtx);
  if (!blur.ok()) return blur;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  const std::vector<float> table = LightTable();
  Status uploaded = light_table_.Open(context, table.data(), table.size() * sizeof(float));
  if (!uploaded.ok()) return uploaded;
  return AllocateScratch(context);
}

Status Ssimulacra2Cuda::CloseModules() {
  FirstError first;
  first.Note(light_table_.Close());
  first.Note(color_module_.Close());
  first.Note(blur_module_.Close());
  return first.Take();
}

Status Ssimulacra2Cuda::FindFunctions() {
  const bool deep = geometry().bits > 8;
  Status colours = color_module_.Functions({
      {deep ? "ssimulacra2_linear_16bpc" : "ssimulacra2_linear_8bpc", &linear_},
      {"ssimulacra2_halve", &halve_},
      {"ssimulacra2_opponent", &opponent_},
  });
  if (!colours.ok()) return colours;
  return blur_module_.Functions({
      {"ssimulacra2_rows", &rows_},
      {"ssimulacra2_columns", &columns_},
      {"ssimulacra2_maps", &maps_},
  });
}

Status Ssimulacra2Cuda::AllocateScratch(const std::shared_ptr<Context>& context) {
  const size_t plane_bytes = scales_.front().samples() * sizeof(float);
  for (Colours& colours : colours_) {
    for (CUdeviceptr* planes : {&colours.linear, &colours.next, &colours.opponent}) {
      Status allocated = scratch().Open(context, kSsimulacra2Planes * plane_bytes, planes);
      if (!allocated.ok()) return allocated;
    }
  }
  Status rows = scratch().Open(context, kBlurredPlanes * plane_bytes, &blurred_rows_);
  if (!rows.ok()) return rows;
  return scratch().Open(context, kBlurredPlanes * plane_bytes, &blurred_);
}

Status Ssimulacra2Cuda::Launch(const FramePair& pair) {
  Status table = stream().Wait(light_table_.ready());
  if (!table.ok()) return table;
  const Picture* pictures[] = {pair.reference_picture, pair.distorted_picture};
  for (size_t which = 0; which < 2; ++which) {
    Status linear = ToLinear(*pictures[which], colours_[which].linear);
    if (!linear.ok()) return linear;
  }
  for (uint32_t scale = 0; scale < scales_.size(); ++scale) {
    for (Colours& colours : colours_) {
      Status halved = scale == 0 ? Status() : Halve(scale - 1, colours);
      if (!halved.ok()) return halved;
      Status opponent = ToOpponent(scales_[scale], colours);
      if (!opponent.ok()) return opponent;
    }
    Status launched = LaunchScale(scales_[scale]);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status Ssimulacra2Cuda::ToLinear(const Picture& picture, CUdeviceptr target) {
  const auto peak = static_cast<float>((1u << geometry().bits) - 1);
  return LaunchOverPlane(stream(), linear_, geometry().width, geometry().height, PlanesOf(picture),
                         light_table_.get(), target, static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height),
                         static_cast<int>(geometry().plane_width(1)),
                         static_cast<int>(geometry().plane_height(1)), peak);
}

Status Ssimulacra2Cuda::Halve(uint32_t from, Colours& colours) {
  const Scale& source = scales_[from];
  const Scale& target = scales_[from + 1];
  Status halved =
      LaunchOverPlane(stream(), halve_, target.width, target.height, colours.linear, colours.next,
                      static_cast<int>(source.width), static_cast<int>(source.height),
                      static_cast<int>(target.width), static_cast<int>(target.height));
  std::swap(colours.linear, colours.next);
  return halved;
}

Status Ssimulacra2Cuda::ToOpponent(const Scale& scale, const Colours& colours) {
  return LaunchOverPlane(stream(), opponent_, scale.width, scale.height, colours.linear,
                         colours.opponent, static_cast<int>(scale.width),
                         static_cast<int>(scale.height));
}

Status Ssimulacra2Cuda::LaunchScale(const Scale& scale) {
  for (uint32_t plane = 0; plane < kSsimulacra2Planes; ++plane) {
    Status compared = Compare(scale, plane);
    if (!compared.ok()) return compared;
  }
  return Status();
}

Status Ssimulacra2Cuda::Compare(const Scale& scale, uint32_t plane) {
  const auto width = static_cast<int>(scale.width);
  const auto height = static_cast<int>(scale.height);
  const size_t offset = plane * scale.samples() * sizeof(float);
  const CUdeviceptr reference = colours_[0].opponent + offset;
  const CUdeviceptr distorted = colours_[1].opponent + offset;
  Status rows = LaunchOverLines(stream(), rows_, scale.height, kBlurredPlanes, reference, distorted,
                                blurred_rows_, width, height, gaussian_);
  if (!rows.ok()) return rows;
  Status columns = LaunchOverLines(stream(), columns_, scale.width, kBlurredPlanes, blurred_rows_,
                                   blurred_, width, height, gaussian_);
  if (!columns.ok()) return columns;
  const size_t first = scale.first_partial + plane * kMapSums * scale.blocks();
  return LaunchOverPlane(stream(), maps_, scale.width, scale.height, reference, distorted, blurred_,
                         results() + first * sizeof(double), width, height,
                         static_cast<int>(scale.blocks()));
}

Ssimulacra2Maps Ssimulacra2Cuda::MapsOf(const Scale& scale, uint32_t plane) const {
  const size_t blocks = scale.blocks();
  const double* partials = Results<double>() + scale.first_partial + plane * kMapSums * blocks;
  const auto samples = static_cast<double>(scale.samples());
  Ssimulacra2Maps maps;
  for (size_t map = 0; map < 3; ++map) {
    maps.mean[map] = SumOf(partials + map * blocks, blocks) / samples;
    maps.mean_of_fourth[map] = SumOf(partials + (3 + map) * blocks, blocks) / samples;
  }
  return maps;
}

Status Ssimulacra2Cuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  Ssimulacra2Score score;
  for (uint32_t plane = 0; plane < kSsimulacra2Planes; ++plane) {
    for (uint32_t scale = 0; scale < scales_.size(); ++scale) {
      score.Add(plane, scale, MapsOf(scales_[scale], plane));
    }
  }
  return collector.Append("ssimulacra2", index, score.Score());
}

}  // namespace culprit::reference
