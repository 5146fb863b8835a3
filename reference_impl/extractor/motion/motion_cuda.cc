// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_cuda.h"

#include <cerrno>

#include "reference_impl/framework/launch.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

const KernelLifecycle* MotionCuda::lifecycle() const {
  return options().force_zero ? nullptr : &lifecycle_;
}

Status MotionCuda::OpenDevice(const ExtractorSetup& setup) {
  if (setup.context == nullptr) return ExtractorFailure(-EINVAL, "no device state was imported");
  Status created = Create(setup);
  // The creation's error is the one to report; what its rollback leaves stays for Close.
  if (!created.ok()) static_cast<void>(Close());
  return created;
}

Status MotionCuda::Create(const ExtractorSetup& setup) {
  Status lifecycle = lifecycle_.Open(setup.context);
  if (!lifecycle.ok()) return lifecycle;
  Status loaded = module_.Open(setup.context, kernels::kMotionPtx);
  if (!loaded.ok()) return loaded;
  Status columns = module_.Function(
      geometry().bits > 8 ? "motion_blur_columns_16bpc" : "motion_blur_columns_8bpc",
      &blur_columns_);
  if (!columns.ok()) return columns;
  Status rows = module_.Function("motion_blur_rows_sad", &blur_rows_sad_);
  if (!rows.ok()) return rows;

  const size_t picture_bytes = sizeof(uint16_t) * geometry().width * geometry().height;
  Status scratch = columns_.Open(setup.context, picture_bytes);
  if (!scratch.ok()) return scratch;
  for (Buffer& picture : blurred_) {
    Status allocated = picture.Open(setup.context, picture_bytes);
    if (!allocated.ok()) return allocated;
  }
  return distances_.Open(setup.context, kBatch);
}

Status MotionCuda::Close() {
  FirstError first;
  first.Note(lifecycle_.Close());
  if (!lifecycle_.quiet()) return first.Take();
  first.Note(distances_.Close());
  for (Buffer& picture : blurred_) first.Note(picture.Close());
  first.Note(columns_.Close());
  first.Note(module_.Close());
  return first.Take();
}

Status MotionCuda::SubmitDistance(const FramePair& pair, uint32_t slot) {
  const Stream& stream = lifecycle_.stream();
  if (slot == 0) {
    Status cleared = distances_.EnqueueClear(stream);
    if (!cleared.ok()) return cleared;
  }
  Status uploaded = stream.Wait(pair.reference_picture->ready());
  if (!uploaded.ok()) return uploaded;
  Status launched = LaunchBlur(*pair.reference_picture, pair.index, slot);
  if (!launched.ok()) return launched;
  Status submitted = lifecycle_.submitted().Record(stream);
  if (!submitted.ok()) return submitted;
  if (EndsBatch(pair.index)) {
    Status copied = distances_.EnqueueCopy(stream, 0, kBatch);
    if (!copied.ok()) return copied;
  }
  return lifecycle_.finished().Record(stream);
}

Status MotionCuda::LaunchBlur(const Picture& picture, uint32_t index, uint32_t slot) {
  const auto width = static_cast<int>(geometry().width);
  const auto height = static_cast<int>(geometry().height);
  const Stream& stream = lifecycle_.stream();
  Status columns = LaunchOverPlane(stream, blur_columns_, geometry().width, geometry().height,
                                   picture.plane(0), picture.pitch(0), columns_.get(), width,
                                   height, static_cast<int>(geometry().bits));
  if (!columns.ok()) return columns;
  const uint32_t distance = options().distance();
  const CUdeviceptr earlier =
      index < distance ? CUdeviceptr{0} : blurred_[(index - distance) % kPictures].get();
  return LaunchOverPlane(stream, blur_rows_sad_, geometry().width, geometry().height,
                         columns_.get(), blurred_[index % kPictures].get(), earlier,
                         distances_.device(slot), width, height);
}

std::span<const uint64_t> MotionCuda::Distances(uint32_t first, uint32_t count) const {
  return distances_.host().subspan(first, count);
}

Status MotionCuda::FetchDistances(uint32_t first, uint32_t count) {
  Status copied = distances_.EnqueueCopy(lifecycle_.stream(), first, count);
  if (!copied.ok()) return copied;
  return lifecycle_.stream().Synchronize();
}

}  // namespace culprit::reference
