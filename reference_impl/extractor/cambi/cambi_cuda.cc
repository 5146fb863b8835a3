// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/cambi/cambi_cuda.h"

#include <algorithm>
#include <cerrno>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestLongSide = 216;
constexpr size_t kBins = 2048;
constexpr size_t kSelectionBytes = 2 * sizeof(uint32_t);

// Digits of a non-negative binary32, from the leading one.
struct Digit {
  int shift;
  int width;
};
constexpr Digit kDigits[] = {{20, 11}, {10, 10}, {0, 10}};

}  // namespace

Status CambiCuda::Configure(const Options& options) {
  Status read = OptionReader(options).Flag("full_ref", "", &full_reference_).Finish();
  if (!read.ok()) return read;
  const uint32_t width = geometry().width;
  const uint32_t height = geometry().height;
  if (std::max(width, height) < kSmallestLongSide) {
    return ExtractorFailure(-EINVAL, "cambi needs pictures of 216 samples or more on one side");
  }
  window_ = CambiWindow(width, height);
  thresholds_ = VisibleSteps();
  extents_ = CambiExtentsOf(width, height);
  layers_ = CambiLayersOf(extents_);
  return Status();
}

Status CambiCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kCambiPtx);
  if (!loaded.ok()) return loaded;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  Status uploaded = layer_table_.Open(context, &layers_, sizeof layers_);
  if (!uploaded.ok()) return uploaded;
  return AllocateScratch(context);
}

Status CambiCuda::CloseModules() {
  FirstError first;
  first.Note(layer_table_.Close());
  first.Note(module_.Close());
  return first.Take();
}

Status CambiCuda::FindFunctions() {
  return module_.Functions({
      {geometry().bits > 8 ? "cambi_widen_16bpc" : "cambi_widen_8bpc", &widen_},
      {"cambi_mask_rows", &mask_rows_},
      {"cambi_mask_columns", &mask_columns_},
      {"cambi_filter", &filter_},
      {"cambi_contrast", &contrast_},
      {"cambi_start_share", &start_share_},
      {"cambi_count_digits", &count_digits_},
      {"cambi_pick_digit", &pick_digit_},
      {"cambi_sum_share", &sum_share_},
  });
}

Status CambiCuda::AllocateScratch(const std::shared_ptr<Context>& context) {
  const size_t samples = extents_[0].samples();
  const size_t samples_of_scales = layers_.offset[kCambiScales - 1] + extents_.back().samples();
  const std::pair<CUdeviceptr*, size_t> wanted[] = {
      {&image_, samples * sizeof(uint16_t)},
      {&counts_, samples},
      {&mask_, samples},
      {&masked_, samples * sizeof(uint16_t)},
      {&contrasts_, samples_of_scales * sizeof(float)},
      {&bins_, kCambiScales * kBins * sizeof(uint32_t)},
      {&selections_, kCambiScales * kSelectionBytes},
  };
  for (const auto& [buffer, bytes] : wanted) {
    Status allocated = scratch().Open(context, bytes, buffer);
    if (!allocated.ok()) return allocated;
  }
  for (uint32_t scale = 0; scale < kCambiScales; ++scale) {
    Status allocated =
        scratch().Open(context, extents_[scale].samples() * sizeof(uint16_t), &filtered_[scale]);
    if (!allocated.ok()) return allocated;
  }
  return Status();
}

Status CambiCuda::Launch(const FramePair& pair) {
  Status table = stream().Wait(layer_table_.ready());
  if (!table.ok()) return table;
  Status distorted = LaunchPicture(*pair.distorted_picture, results());
  if (!distorted.ok() || !full_reference_) return distorted;
  return LaunchPicture(*pair.reference_picture, results() + kCambiScales * sizeof(CambiShare));
}

Status CambiCuda::LaunchPicture(const Picture& picture, CUdeviceptr shares) {
  Status masked = LaunchMask(picture);
  if (!masked.ok()) return masked;
  for (uint32_t scale = 0; scale < kCambiScales; ++scale) {
    Status launched = LaunchScale(scale);
    if (!launched.ok()) return launched;
  }
  return LaunchPooling(shares);
}

Status CambiCuda::LaunchMask(const Picture& picture) {
  const auto [width, height] = extents_[0];
  const auto columns = static_cast<int>(width);
  const auto rows = static_cast<int>(height);
  Status widened =
      LaunchOverPlane(stream(), widen_, width, height, picture.plane(0), picture.pitch(0), image_,
                      columns, rows, static_cast<int>(geometry().bits));
  if (!widened.ok()) return widened;
  Status counted =
      LaunchOverPlane(stream(), mask_rows_, width, height, image_, counts_, columns, rows);
  if (!counted.ok()) return counted;
  return LaunchOverPlane(stream(), mask_columns_, width, height, counts_, mask_, columns, rows,
                         CambiFlatThreshold(width, height));
}

Status CambiCuda::LaunchScale(uint32_t scale) {
  const auto [width, height] = extents_[scale];
  const auto columns = static_cast<int>(width);
  const auto rows = static_cast<int>(height);
  const CUdeviceptr source = scale == 0 ? image_ : filtered_[scale - 1];
  const auto source_width = static_cast<int>(scale == 0 ? width : extents_[scale - 1].width);
  const int step = scale == 0 ? 1 : 2;
  Status filtered = LaunchOverPlane(stream(), filter_, width, height, source, mask_,
                                    filtered_[scale], masked_, source_width, step, columns, rows,
                                    static_cast<int>(extents_[0].width), 1 << scale);
  if (!filtered.ok()) return filtered;
  const CUdeviceptr contrasts = contrasts_ + layers_.offset[scale] * sizeof(float);
  return LaunchOverPlane(stream(), contrast_, width, height, masked_, contrasts, columns, rows,
                         static_cast<int>(window_ / 2), thresholds_);
}

Status CambiCuda::LaunchPooling(CUdeviceptr shares) {
  constexpr unsigned kSamplesOfBlock = 4096;
  const unsigned blocks = (layers_.samples[0] + kSamplesOfBlock - 1) / kSamplesOfBlock;
  const CUdeviceptr layers = layer_table_.get();
  Status started =
      LaunchOverRows(stream(), start_share_, 1, kCambiScales, layers, bins_, selections_);
  if (!started.ok()) return started;
  for (const Digit& digit : kDigits) {
    Status counted = LaunchOverRows(stream(), count_digits_, blocks, kCambiScales, contrasts_,
                                    layers, selections_, bins_, digit.shift, digit.width);
    if (!counted.ok()) return counted;
    Status picked =
        LaunchOverRows(stream(), pick_digit_, 1, kCambiScales, bins_, selections_, digit.width);
    if (!picked.ok()) return picked;
  }
  return LaunchOverRows(stream(), sum_share_, blocks, kCambiScales, contrasts_, layers, selections_,
                        shares);
}

double CambiCuda::ScoreAt(uint32_t which) const {
  return CambiScore(Results<CambiShare>() + which * kCambiScales, layers_, window_);
}

Status CambiCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double distorted = ScoreAt(0);
  Status written = collector.Append("cambi", index, distorted);
  if (!written.ok() || !full_reference_) return written;
  const double source = ScoreAt(1);
  FirstError first;
  first.Note(collector.Append("cambi_source", index, source));
  first.Note(collector.Append("cambi_full_reference", index, std::max(0.0, distorted - source)));
  return first.Take();
}

}  // namespace culprit::reference
