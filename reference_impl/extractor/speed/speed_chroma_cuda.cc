// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/speed_chroma_cuda.h"

#include <cerrno>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kFirstChroma = 1;
constexpr uint32_t kSecondChroma = 2;

// A singular plane says nothing, so the other one speaks for both.
double Together(const SpeedDistance& u, const SpeedDistance& v) {
  if (u.singular && !v.singular) return v.value;
  if (v.singular && !u.singular) return u.value;
  return (u.value + v.value) / 2;
}

}  // namespace

Status SpeedChromaCuda::Configure(const Options& options) {
  Status read = OptionReader(options).Finish();
  if (!read.ok()) return read;
  if (geometry().planes() < kMaxPlanes) {
    return ExtractorFailure(-EINVAL, "speed_chroma needs chroma planes");
  }
  extent_ =
      SpeedExtent::Of(geometry().plane_width(kFirstChroma), geometry().plane_height(kFirstChroma));
  if (!extent_.holds_a_block()) {
    return ExtractorFailure(-EINVAL, "speed_chroma needs chroma planes of 80x80 or more");
  }
  return Status();
}

size_t SpeedChromaCuda::result_bytes() const { return 4 * SpeedKernels::StatisticsBytes(extent_); }

size_t SpeedChromaCuda::OffsetOf(uint32_t plane, uint32_t which) const {
  return (2 * (plane - kFirstChroma) + which) * SpeedKernels::StatisticsBytes(extent_);
}

Status SpeedChromaCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kSpeedPtx);
  if (!loaded.ok()) return loaded;
  Status found = kernels_.Find(module_, geometry().bits);
  if (!found.ok()) return found;
  return scratch().Open(context, extent_.samples() * sizeof(double), &small_);
}

Status SpeedChromaCuda::Launch(const FramePair& pair) {
  const Picture* pictures[] = {pair.reference_picture, pair.distorted_picture};
  for (const uint32_t plane : {kFirstChroma, kSecondChroma}) {
    for (uint32_t which = 0; which < 2; ++which) {
      Status shrunk = kernels_.Shrink(stream(), *pictures[which], plane, small_);
      if (!shrunk.ok()) return shrunk;
      Status described =
          kernels_.Describe(stream(), extent_, small_, results() + OffsetOf(plane, which));
      if (!described.ok()) return described;
    }
  }
  return Status();
}

SpeedDistance SpeedChromaCuda::DistanceOf(uint32_t plane) const {
  const auto view = [&](uint32_t which) {
    const double* statistics = Results<double>() + OffsetOf(plane, which) / sizeof(double);
    return SpeedKernels::View(extent_, statistics);
  };
  return SpeedDistanceOf(extent_, view(0), view(1));
}

Status SpeedChromaCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const SpeedDistance u = DistanceOf(kFirstChroma);
  const SpeedDistance v = DistanceOf(kSecondChroma);
  FirstError first;
  first.Note(collector.Append("speed_chroma_u", index, u.value));
  first.Note(collector.Append("speed_chroma_v", index, v.value));
  first.Note(collector.Append("speed_chroma_uv", index, Together(u, v)));
  return first.Take();
}

}  // namespace culprit::reference
