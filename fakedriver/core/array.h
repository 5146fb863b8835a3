// SPDX-License-Identifier: Apache-2.0
//
// Arrays: texels that only copies, textures and surfaces reach. Here they are rows of plain bytes;
// what a real device does to their order nobody can see.
#ifndef FAKEDRIVER_CORE_ARRAY_H_
#define FAKEDRIVER_CORE_ARRAY_H_

#include <cstdint>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

// Bytes of one channel; 0 for formats that the fake does not know.
uint32_t ChannelBytes(CUarray_format format);

struct ArrayShape {
  CUarray_format format = CU_AD_FORMAT_UNSIGNED_INT8;
  uint32_t channels = 1;
  uint64_t width = 0;   // in texels
  uint64_t height = 0;  // 0: one-dimensional
  uint64_t depth = 0;   // 0: at most two-dimensional; layers of a layered array
  uint32_t flags = 0;   // CUDA_ARRAY3D_...

  uint64_t texel_bytes() const { return uint64_t{ChannelBytes(format)} * channels; }
  uint64_t row_bytes() const { return width * texel_bytes(); }
  uint64_t rows() const { return height == 0 ? 1 : height; }
  uint64_t slices() const { return depth == 0 ? 1 : depth; }
  // The same, one mipmap level down, `level` times.
  ArrayShape AtLevel(uint32_t level) const;
};

class Array final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kArray;

  // `texels` was placed by the caller and holds at least slices * rows * row_pitch bytes.
  Array(Context& context, const ArrayShape& shape, uint64_t row_pitch, Ref<Allocation> texels);
  ~Array() override;

  const ArrayShape& shape() const { return shape_; }
  uint64_t row_pitch() const { return row_pitch_; }
  uint64_t slice_pitch() const { return row_pitch_ * shape_.rows(); }
  const Ref<Allocation>& texels() const { return texels_; }
  bool of_mipmap() const { return of_mipmap_; }
  void set_of_mipmap() {
    of_mipmap_ = true;
    record().internal = true;
  }

  void OnContextGone() override { ReleaseTexels(); }
  void ReleaseTexels();
  uint64_t bytes() const override { return texels_->size(); }

 private:
  const ArrayShape shape_;
  const uint64_t row_pitch_;
  const Ref<Allocation> texels_;
  bool of_mipmap_ = false;
};

class MipmappedArray final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kMipmappedArray;

  MipmappedArray(Context& context, const ArrayShape& shape, std::vector<Ref<Array>> levels);
  ~MipmappedArray() override;

  const ArrayShape& shape() const { return shape_; }
  const std::vector<Ref<Array>>& levels() const { return levels_; }

 private:
  const ArrayShape shape_;
  const std::vector<Ref<Array>> levels_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ARRAY_H_
