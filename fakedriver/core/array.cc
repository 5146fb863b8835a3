// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/array.h"

#include <algorithm>
#include <utility>

#include "fakedriver/core/context.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {

uint32_t ChannelBytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

ArrayShape ArrayShape::AtLevel(uint32_t level) const {
  const auto halved = [level](uint64_t size) {
    return size == 0 ? 0 : std::max<uint64_t>(size >> level, 1);
  };
  ArrayShape shape = *this;
  shape.width = halved(width);
  shape.height = halved(height);
  if ((flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0) shape.depth = halved(depth);
  return shape;
}

Array::Array(Context& context, const ArrayShape& shape, uint64_t row_pitch, Ref<Allocation> texels)
    : Object(ObjectKind::kArray, &context),
      shape_(shape),
      row_pitch_(row_pitch),
      texels_(std::move(texels)) {}

Array::~Array() = default;

void Array::ReleaseTexels() {
  if (texels_->MarkDestroyed()) Memory::Get().Release(*texels_);
}

MipmappedArray::MipmappedArray(Context& context, const ArrayShape& shape,
                               std::vector<Ref<Array>> levels)
    : Object(ObjectKind::kMipmappedArray, &context), shape_(shape), levels_(std::move(levels)) {}

MipmappedArray::~MipmappedArray() = default;

}  // namespace culprit::fakedriver
