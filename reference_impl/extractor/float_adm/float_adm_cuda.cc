// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/float_adm/float_adm_cuda.h"

#include <cmath>
#include <numbers>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
Status FloatAdmCuda::Configure(const Options& options) {
  return report_.Start("", geometry(), options);
}

Status FloatAdmCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kFloatAdmPtx);
  if (!loaded.ok()) return loaded;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  return AllocateScratch(context);
}

Status FloatAdmCuda::FindFunctions() {
  return module_.Functions({
      {geometry().bits > 8 ? "float_adm_convert_16bpc" : "float_adm_convert_8bpc", &convert_},
      {"float_adm_columns", &columns_},
      {"float_adm_rows", &rows_},
      {"float_adm_decouple", &decouple_},
      {"float_adm_denominator", &denominator_},
      {"float_adm_mask", &mask_},
      {"float_adm_masked_sum", &masked_sum_},
  });
}

Status FloatAdmCuda::AllocateScratch(const std::shared_ptr<Context>& context) {
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    for (AdmWavelet* wavelet : {&reference_[level], &distorted_[level]}) {
      Status allocated =
          OpenWavelet(scratch(), context, report_.level(level), sizeof(float), wavelet);
      if (!allocated.ok()) return allocated;
    }
  }
  const AdmLevel& largest = report_.level(0);
  const size_t full_bytes = sizeof(float) * geometry().width * geometry().height;
  const size_t half_bytes = sizeof(float) * geometry().width * largest.height;
  const size_t band_bytes = sizeof(float) * largest.width * largest.height;
  const std::pair<size_t, CUdeviceptr*> planes[] = {{full_bytes, &picture_},
                                                    {half_bytes, &low_},
                                                    {half_bytes, &high_},
                                                    {band_bytes, &magnitudes_}};
  for (const auto& [bytes, plane] : planes) {
    Status allocated = scratch().Open(context, bytes, plane);
    if (!allocated.ok()) return allocated;
  }
  Status restored = OpenBands(scratch(), context, largest, sizeof(float), &restored_);
  if (!restored.ok()) return restored;
  return OpenBands(scratch(), context, largest, sizeof(float), &additive_);
}

Status FloatAdmCuda::Launch(const FramePair& pair) {
  Status reference = TransformAll(*pair.reference_picture, reference_);
  if (!reference.ok()) return reference;
  Status distorted = TransformAll(*pair.distorted_picture, distorted_);
  if (!distorted.ok()) return distorted;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    Status launched = LaunchLevel(level);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status FloatAdmCuda::TransformAll(const Picture& picture,
                                  const std::array<AdmWavelet, kAdmLevels>& wavelets) {
  Status converted =
      LaunchOverPlane(stream(), convert_, geometry().width, geometry().height, picture.plane(0),
                      picture.pitch(0), picture_, static_cast<int>(geometry().width),
                      static_cast<int>(geometry().height), geometry().sample_scale());
  if (!converted.ok()) return converted;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    const CUdeviceptr source = level == 0 ? picture_ : wavelets[level - 1].approximation;
    Status transformed = Transform(level, source, wavelets[level]);
    if (!transformed.ok()) return transformed;
  }
  return Status();
}

Status FloatAdmCuda::Transform(uint32_t level, CUdeviceptr source, const AdmWavelet& target) {
  const AdmLevel& bands = report_.level(level);
  const uint32_t width = level == 0 ? geometry().width : report_.level(level - 1).width;
  const uint32_t height = level == 0 ? geometry().height : report_.level(level - 1).height;
  Status columns = LaunchOverPlane(stream(), columns_, width, bands.height, source, low_, high_,
                                   static_cast<int>(width), static_cast<int>(height));
  if (!columns.ok()) return columns;
  return LaunchOverPlane(stream(), rows_, bands.width, bands.height, low_, high_,
                         target.approximation, target.details, static_cast<int>(width),
                         static_cast<int>(bands.height));
}

Status FloatAdmCuda::LaunchLevel(uint32_t level) {
  const AdmLevel& bands = report_.level(level);
  const auto cosine = static_cast<float>(std::pow(std::cos(std::numbers::pi / 180), 2));
  Status decoupled = LaunchOverPlane(
      stream(), decouple_, bands.width, bands.height, reference_[level].details,
      distorted_[level].details, restored_, additive_, static_cast<int>(bands.width),
      static_cast<int>(bands.height), static_cast<float>(report_.gain_limit()), cosine);
  if (!decoupled.ok()) return decoupled;
  Status denominator =
      LaunchOverRows(stream(), denominator_, bands.rows(), 3, reference_[level].details,
                     AdmWindowOf(bands), bands.sensitivity, RowsOf(level, kDenominator));
  if (!denominator.ok()) return denominator;
  Status masked = LaunchMasked(level, restored_, additive_, kNumerator);
  if (!masked.ok()) return masked;
  return LaunchMasked(level, additive_, restored_, kAdditive);
}

Status FloatAdmCuda::LaunchMasked(uint32_t level, const AdmBands& detail, const AdmBands& masking,
                                  Summed summed) {
  const AdmLevel& bands = report_.level(level);
  Status magnitudes = LaunchOverPlane(stream(), mask_, bands.width, bands.height, masking,
                                      magnitudes_, static_cast<int>(bands.width),
                                      static_cast<int>(bands.height), bands.sensitivity);
  if (!magnitudes.ok()) return magnitudes;
  return LaunchOverRows(stream(), masked_sum_, bands.rows(), 3, detail, magnitudes_,
                        AdmWindowOf(bands), static_cast<int>(bands.height), bands.sensitivity,
                        RowsOf(level, summed));
}

size_t FloatAdmCuda::FirstRow(uint32_t level, Summed summed) const {
  size_t first = 0;
  for (uint32_t before = 0; before < level; ++before) {
    first += size_t{kSummed} * 3 * report_.level(before).rows();
  }
  return summed == kDenominator ? first : first + size_t{summed} * 3 * report_.level(level).rows();
}

double FloatAdmCuda::Sum(uint32_t level, Summed summed, uint32_t band) const {
  const size_t rows = report_.level(level).rows();
  return SumOf(Results<double>() + FirstRow(level, summed) + band * rows, rows);
}

Status FloatAdmCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  std::array<AdmParts, kAdmLevels> parts;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    std::array<AdmCubes, 3> cubes;
    for (uint32_t band = 0; band < 3; ++band) {
      cubes[band] = {Sum(level, kNumerator, band), Sum(level, kDenominator, band),
                     Sum(level, kAdditive, band)};
    }
    parts[level] = AdmPooled(report_.level(level), cubes);
  }
  return report_.Write(index, parts, collector);
}

}  // namespace culprit::reference
