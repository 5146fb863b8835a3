// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ms_ssim/ms_ssim_cuda.h"

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

// Of a position, as the kernels lay it out.
constexpr size_t kMomentBytes = 5 * sizeof(float);

}  // namespace

Status MsSsimCuda::Configure(const Options& options) {
  Status started = score_.Start(geometry(), options);
  if (!started.ok()) return started;
  uint32_t width = geometry().width;
  uint32_t height = geometry().height;
  for (Scale& scale : scales_) {
    scale.width = width;
    scale.height = height;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return Status();
}

Status MsSsimCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kMsSsimPtx);
  if (!loaded.ok()) return loaded;
  Status found = FindFunctions();
  if (!found.ok()) return found;
  for (Scale& scale : scales_) {
    Status opened = OpenScale(context, scale);
    if (!opened.ok()) return opened;
  }
  const Scale& largest = scales_.front();
  const size_t half_samples = size_t{largest.width} * scales_[1].height;
  Status half_filtered = scratch().Open(context, half_samples * sizeof(float), &half_filtered_);
  if (!half_filtered.ok()) return half_filtered;
  const size_t positions = size_t{largest.inner_width()} * largest.height;
  return scratch().Open(context, positions * kMomentBytes, &moments_);
}

Status MsSsimCuda::FindFunctions() {
  return module_.Functions({
      {geometry().bits > 8 ? "ms_ssim_convert_16bpc" : "ms_ssim_convert_8bpc", &convert_},
      {"ms_ssim_shrink_columns", &shrink_columns_},
      {"ms_ssim_shrink_rows", &shrink_rows_},
      {"ms_ssim_rows", &rows_},
      {"ms_ssim_columns", &columns_},
  });
}

Status MsSsimCuda::OpenScale(const std::shared_ptr<Context>& context, Scale& scale) {
  for (CUdeviceptr& picture : scale.pictures) {
    const size_t bytes = size_t{scale.width} * scale.height * sizeof(float);
    Status allocated = scratch().Open(context, bytes, &picture);
    if (!allocated.ok()) return allocated;
  }
  return scale.partials.Open(context, scale.partial_count());
}

Status MsSsimCuda::CloseModules() {
  FirstError first;
  for (Scale& scale : scales_) first.Note(scale.partials.Close());
  first.Note(module_.Close());
  return first.Take();
}

// Every partial sum is written by every frame.
Status MsSsimCuda::ClearResults() { return Status(); }

Status MsSsimCuda::SendHome() {
  for (const Scale& scale : scales_) {
    Status copied = scale.partials.EnqueueCopy(stream(), 0, scale.partial_count());
    if (!copied.ok()) return copied;
  }
  return Status();
}

Status MsSsimCuda::Launch(const FramePair& pair) {
  Status reference = Convert(*pair.reference_picture, scales_[0].pictures[0]);
  if (!reference.ok()) return reference;
  Status distorted = Convert(*pair.distorted_picture, scales_[0].pictures[1]);
  if (!distorted.ok()) return distorted;
  for (uint32_t index = 0; index < kMsSsimScales; ++index) {
    if (index > 0) {
      Status shrunk = Shrink(scales_[index - 1], scales_[index]);
      if (!shrunk.ok()) return shrunk;
    }
    Status compared = Compare(scales_[index]);
    if (!compared.ok()) return compared;
  }
  return Status();
}

Status MsSsimCuda::Convert(const Picture& picture, CUdeviceptr target) {
  return LaunchOverPlane(stream(), convert_, geometry().width, geometry().height, picture.plane(0),
                         picture.pitch(0), target, static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height), geometry().sample_scale());
}

Status MsSsimCuda::Shrink(const Scale& from, const Scale& to) {
  for (size_t which = 0; which < from.pictures.size(); ++which) {
    Status columns = LaunchOverPlane(
        stream(), shrink_columns_, from.width, to.height, from.pictures[which], half_filtered_,
        static_cast<int>(from.width), static_cast<int>(from.height), static_cast<int>(to.height));
    if (!columns.ok()) return columns;
    Status rows = LaunchOverPlane(stream(), shrink_rows_, to.width, to.height, half_filtered_,
                                  to.pictures[which], static_cast<int>(from.width),
                                  static_cast<int>(to.width), static_cast<int>(to.height));
    if (!rows.ok()) return rows;
  }
  return Status();
}

Status MsSsimCuda::Compare(const Scale& scale) {
  Status rows = LaunchOverPlane(stream(), rows_, scale.inner_width(), scale.height,
                                scale.pictures[0], scale.pictures[1], moments_,
                                static_cast<int>(scale.width), static_cast<int>(scale.height));
  if (!rows.ok()) return rows;
  return LaunchOverPlane(stream(), columns_, scale.inner_width(), scale.inner_height(), moments_,
                         scale.partials.device(0), static_cast<int>(scale.inner_width()),
                         static_cast<int>(scale.inner_height()), static_cast<int>(scale.blocks()));
}

MsSsimMeans MsSsimCuda::Scale::Means() const {
  const double positions = static_cast<double>(inner_width()) * inner_height();
  const double* sums = partials.host().data();
  return {SumOf(sums, blocks()) / positions, SumOf(sums + blocks(), blocks()) / positions,
          SumOf(sums + 2 * blocks(), blocks()) / positions};
}

Status MsSsimCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  std::array<MsSsimMeans, kMsSsimScales> means;
  for (uint32_t scale = 0; scale < kMsSsimScales; ++scale) means[scale] = scales_[scale].Means();
  return score_.Write(index, means, collector);
}

}  // namespace culprit::reference
