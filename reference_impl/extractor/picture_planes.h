// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PICTURE_PLANES_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PICTURE_PLANES_H_

#include "reference_impl/framework/picture.h"

namespace culprit::reference {

// Three planes of a picture, by value to kernels, which declare the same. Pitches are in bytes.
struct PicturePlanes {
  CUdeviceptr plane[kMaxPlanes];
  size_t pitch[kMaxPlanes];
};

inline PicturePlanes PlanesOf(const Picture& picture) {
  PicturePlanes planes{};
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    planes.plane[plane] = picture.plane(plane);
    planes.pitch[plane] = picture.pitch(plane);
  }
  return planes;
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PICTURE_PLANES_H_
