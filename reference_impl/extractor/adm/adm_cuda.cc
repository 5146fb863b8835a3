// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_cuda.h"

#include <cmath>
#include <numbers>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

// What follows goes to kernels by value; kernels/adm_*.cu declare the same.
struct Weights {
  long long weight[3];
  int rounding[3];
  int shift[3];
};
struct Shares {
  long long neighbour, centre, rounding;
  int shift;
};
struct Precision {
  long long weight[3];
  int weight_rounding, weight_shift;
  int threshold_shift[3], square_shift[3], cube_shift[3];
};

constexpr struct {
  int column_rounding, column_shift, row_rounding, row_shift;
} kTransforms[kAdmLevels] = {
    {0, 0, 32768, 16}, {0, 0, 16384, 15}, {32768, 16, 32768, 16}, {32768, 16, 16384, 15}};

constexpr int kSquareShift[kAdmLevels] = {0, 31, 30, 31};

// A thirtieth of a neighbour and a fifteenth of the centre. The later rounding term is 2^31 as a
// signed 32-bit number holds it, which is what all implementations share.
constexpr Shares kFirstShares = {4369, 8738, 2048, 12};
constexpr Shares kLaterShares = {143165577, 286331153, -(1ll << 31), 32};

// Sensitivities in the fixed point of the level; the first level's are rounded constants for the
// usual viewing setup.
std::array<long long, 3> WeightsOf(uint32_t level, const AdmScore& score) {
  if (level == 0 && score.default_viewing()) return {36453, 36453, 49417};
  std::array<long long, 3> weights{};
  for (int band = 0; band < 3; ++band) {
    const int bits = level > 0 ? 32 : band == 2 ? 23 : 21;
    weights[band] =
        static_cast<long long>(std::ldexp(double{score.level(level).sensitivity[band]}, bits));
  }
  return weights;
}

Weights MaskWeights(uint32_t level, const AdmScore& score) {
  const std::array<long long, 3> w = WeightsOf(level, score);
  if (level == 0) return {{w[0], w[1], w[2]}, {16384, 16384, 65535}, {15, 15, 17}};
  return {{w[0], w[1], w[2]}, {1 << 27, 1 << 27, 1 << 27}, {28, 28, 28}};
}

Precision PrecisionOf(uint32_t level, const AdmScore& score) {
  const std::array<long long, 3> w = WeightsOf(level, score);
  const std::array<int, 3>& cube = score.rounding(level).numerator_cube_shift;
  if (level == 0) {
    return {{w[0], w[1], w[2]}, 0, 0, {10, 10, 12}, {29, 29, 30}, {cube[0], cube[1], cube[2]}};
  }
  return {{w[0], w[1], w[2]}, 1 << 27, 28, {0, 0, 0}, {30, 30, 30}, {cube[0], cube[1], cube[2]}};
}

}  // namespace

Status AdmCuda::Configure(const Options& options) { return score_.Start(geometry(), options); }

Status AdmCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = LoadModules(context);
  if (!loaded.ok()) return loaded;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  return AllocateScratch(context);
}

Status AdmCuda::FindFunctions() {
  const bool deep = geometry().bits > 8;
  Status dwt = dwt_module_.Functions({
      {deep ? "adm_first_columns_16bpc" : "adm_first_columns_8bpc", &first_columns_},
      {"adm_columns", &columns_},
      {"adm_rows", &rows_},
  });
  if (!dwt.ok()) return dwt;
  Status decouple = decouple_module_.Function("adm_decouple", &decouple_);
  if (!decouple.ok()) return decouple;
  Status csf = csf_module_.Functions({
      {"adm_first_denominator", &first_denominator_},
      {"adm_denominator", &denominator_},
      {"adm_mask", &mask_},
  });
  if (!csf.ok()) return csf;
  return cm_module_.Function("adm_masked_sum", &masked_sum_);
}

Status AdmCuda::LoadModules(const std::shared_ptr<Context>& context) {
  Status dwt = dwt_module_.Open(context, kernels::kAdmDwtPtx);
  if (!dwt.ok()) return dwt;
  Status decouple = decouple_module_.Open(context, kernels::kAdmDecouplePtx);
  if (!decouple.ok()) return decouple;
  Status csf = csf_module_.Open(context, kernels::kAdmCsfPtx);
  if (!csf.ok()) return csf;
  return cm_module_.Open(context, kernels::kAdmCmPtx);
}

Status AdmCuda::CloseModules() {
  FirstError first;
  first.Note(dwt_module_.Close());
  first.Note(decouple_module_.Close());
  first.Note(csf_module_.Close());
  first.Note(cm_module_.Close());
  return first.Take();
}

Status AdmCuda::AllocateScratch(const std::shared_ptr<Context>& context) {
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    for (AdmWavelet* wavelet : {&reference_[level], &distorted_[level]}) {
      Status allocated =
          OpenWavelet(scratch(), context, score_.level(level), sizeof(int32_t), wavelet);
      if (!allocated.ok()) return allocated;
    }
  }
  const AdmLevel& largest = score_.level(0);
  const size_t half_bytes = sizeof(int32_t) * geometry().width * largest.height;
  for (CUdeviceptr* half : {&low_, &high_}) {
    Status allocated = scratch().Open(context, half_bytes, half);
    if (!allocated.ok()) return allocated;
  }
  Status restored = OpenBands(scratch(), context, largest, sizeof(int32_t), &restored_);
  if (!restored.ok()) return restored;
  Status additive = OpenBands(scratch(), context, largest, sizeof(int32_t), &additive_);
  if (!additive.ok()) return additive;
  return OpenBands(scratch(), context, largest, sizeof(int64_t), &magnitudes_);
}

Status AdmCuda::Launch(const FramePair& pair) {
  Status reference = TransformFirst(*pair.reference_picture, reference_[0]);
  if (!reference.ok()) return reference;
  Status distorted = TransformFirst(*pair.distorted_picture, distorted_[0]);
  if (!distorted.ok()) return distorted;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    Status launched = LaunchLevel(level);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status AdmCuda::TransformFirst(const Picture& picture, const AdmWavelet& target) {
  const auto width = static_cast<int>(geometry().width);
  Status columns =
      LaunchOverPlane(stream(), first_columns_, geometry().width, score_.level(0).height,
                      picture.plane(0), picture.pitch(0), low_, high_, width,
                      static_cast<int>(geometry().height), static_cast<int>(geometry().bits));
  if (!columns.ok()) return columns;
  return LaunchRows(0, width, target, kTransforms[0].row_rounding, kTransforms[0].row_shift);
}

Status AdmCuda::Transform(uint32_t level, const AdmWavelet& source, const AdmWavelet& target) {
  const AdmLevel& from = score_.level(level - 1);
  const auto& transform = kTransforms[level];
  Status columns = LaunchOverPlane(stream(), columns_, from.width, score_.level(level).height,
                                   source.approximation, low_, high_, static_cast<int>(from.width),
                                   static_cast<int>(from.height), transform.column_rounding,
                                   transform.column_shift);
  if (!columns.ok()) return columns;
  return LaunchRows(level, static_cast<int>(from.width), target, transform.row_rounding,
                    transform.row_shift);
}

Status AdmCuda::LaunchRows(uint32_t level, int width, const AdmWavelet& target, int rounding,
                           int shift) {
  const AdmLevel& bands = score_.level(level);
  return LaunchOverPlane(stream(), rows_, bands.width, bands.height, low_, high_,
                         target.approximation, target.details[1], target.details[0],
                         target.details[2], width, static_cast<int>(bands.height), rounding, shift);
}

Status AdmCuda::LaunchLevel(uint32_t level) {
  if (level > 0) {
    Status reference = Transform(level, reference_[level - 1], reference_[level]);
    if (!reference.ok()) return reference;
    Status distorted = Transform(level, distorted_[level - 1], distorted_[level]);
    if (!distorted.ok()) return distorted;
  }
  const AdmLevel& bands = score_.level(level);
  const auto cosine =
      static_cast<double>(static_cast<float>(std::pow(std::cos(std::numbers::pi / 180), 2)));
  Status decoupled = LaunchOverPlane(stream(), decouple_, bands.width, bands.height,
                                     reference_[level].details, distorted_[level].details,
                                     restored_, additive_, static_cast<int>(bands.width),
                                     static_cast<int>(bands.height), score_.gain_limit(), cosine);
  if (!decoupled.ok()) return decoupled;
  Status denominator = LaunchDenominator(level);
  if (!denominator.ok()) return denominator;
  Status masked =
      LaunchMasked(level, restored_, additive_, SumsOf(level) + offsetof(AdmSums, numerator));
  if (!masked.ok()) return masked;
  return LaunchMasked(level, additive_, restored_, SumsOf(level) + offsetof(AdmSums, additive));
}

Status AdmCuda::LaunchDenominator(uint32_t level) {
  const AdmLevel& bands = score_.level(level);
  const AdmRounding& rounding = score_.rounding(level);
  const CUdeviceptr totals = SumsOf(level) + offsetof(AdmSums, denominator);
  if (level == 0) {
    return LaunchOverRows(stream(), first_denominator_, bands.rows(), 3, reference_[0].details,
                          AdmWindowOf(bands), rounding.denominator_row_shift, totals);
  }
  return LaunchOverRows(stream(), denominator_, bands.rows(), 3, reference_[level].details,
                        AdmWindowOf(bands), kSquareShift[level], rounding.denominator_cube_shift,
                        rounding.denominator_row_shift, totals);
}

Status AdmCuda::LaunchMasked(uint32_t level, const AdmBands& detail, const AdmBands& masking,
                             CUdeviceptr totals) {
  const AdmLevel& bands = score_.level(level);
  Status magnitudes = LaunchOverPlane(stream(), mask_, bands.width, bands.height, masking,
                                      magnitudes_, static_cast<int>(bands.width),
                                      static_cast<int>(bands.height), MaskWeights(level, score_));
  if (!magnitudes.ok()) return magnitudes;
  return LaunchOverRows(stream(), masked_sum_, bands.rows(), 3, detail, magnitudes_,
                        AdmWindowOf(bands), static_cast<int>(bands.height),
                        level == 0 ? kFirstShares : kLaterShares, PrecisionOf(level, score_),
                        score_.rounding(level).numerator_row_shift, totals);
}

Status AdmCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return score_.Write(index, Results<AdmSums>(), collector);
}

}  // namespace culprit::reference
