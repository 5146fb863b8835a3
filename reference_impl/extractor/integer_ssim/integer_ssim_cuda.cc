// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/integer_ssim/integer_ssim_cuda.h"

#include <cmath>
#include <numbers>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr int kReach = 4;
constexpr double kDeviation = 1.5;
constexpr unsigned kWindowSum = 256;

// By value to the kernels, which declare the same.
struct Window {
  unsigned taps[2 * kReach + 1];
};

// A Gaussian; the centre takes what rounding leaves of the sum.
Window MakeWindow() {
  const double scale = kWindowSum / (std::sqrt(2 * std::numbers::pi) * kDeviation);
  Window window{};
  unsigned rest = kWindowSum;
  for (int distance = 1; distance <= kReach; ++distance) {
    const double height = scale * std::exp(-0.5 * distance * distance / (kDeviation * kDeviation));
    const auto tap = static_cast<unsigned>(height + 0.5);
    window.taps[kReach - distance] = window.taps[kReach + distance] = tap;
    rest -= 2 * tap;
  }
  window.taps[kReach] = rest;
  return window;
}

// Of a row's moments, as the kernels lay them out.
constexpr size_t kMomentBytes = 6 * sizeof(uint64_t);

}  // namespace

Status IntegerSsimCuda::Configure(const Options& options) { return OptionReader(options).Finish(); }

Status IntegerSsimCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kIntegerSsimPtx);
  if (!loaded.ok()) return loaded;
  Status rows = module_.Function(
      geometry().bits > 8 ? "integer_ssim_rows_16bpc" : "integer_ssim_rows_8bpc", &rows_);
  if (!rows.ok()) return rows;
  Status columns = module_.Function("integer_ssim_columns", &columns_);
  if (!columns.ok()) return columns;
  const size_t samples = size_t{geometry().width} * geometry().height;
  return scratch().Open(context, samples * kMomentBytes, &moments_);
}

Status IntegerSsimCuda::Launch(const FramePair& pair) {
  const Picture& reference = *pair.reference_picture;
  const Picture& distorted = *pair.distorted_picture;
  const auto width = static_cast<int>(geometry().width);
  const auto height = static_cast<int>(geometry().height);
  const Window window = MakeWindow();
  Status rows = LaunchOverPlane(stream(), rows_, geometry().width, geometry().height,
                                reference.plane(0), reference.pitch(0), distorted.plane(0),
                                distorted.pitch(0), moments_, width, height, window);
  if (!rows.ok()) return rows;
  const double peak = (1u << geometry().bits) - 1;
  return LaunchOverPlane(stream(), columns_, geometry().width, geometry().height, moments_,
                         results(), width, height, static_cast<int>(blocks()), peak, window);
}

Status IntegerSsimCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double* partials = Results<double>();
  const double similarity = SumOf(partials, blocks());
  const double weight = SumOf(partials + blocks(), blocks());
  return collector.Append("ssim", index, similarity / weight);
}

}  // namespace culprit::reference
