// SPDX-License-Identifier: Apache-2.0
//
// Colour differences of two pictures, sample by sample; chroma is repeated where it has fewer samples than luma.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/ciede_colour.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

struct Planes {
  const unsigned char* plane[3];
  size_t pitch[3];
};

// log2 of how many luma samples share a chroma sample.
struct Subsampling {
  int x, y;
};

template <typename Sample>
__device__ Lab LabAt(const Planes& planes, int x, int y, const Subsampling& subsampling, double scale) {
  const int cx = x >> subsampling.x;
  const int cy = y >> subsampling.y;
  return LabOf(SampleAt<Sample>(planes.plane[0], planes.pitch[0], x, y) / scale,
               SampleAt<Sample>(planes.plane[1], planes.pitch[1], cx, cy) / scale,
               SampleAt<Sample>(planes.plane[2], planes.pitch[2], cx, cy) / scale);
}

template <typename Sample>
__device__ void Differences(const Planes& reference, const Planes& distorted, double* partials, int width, int height,
                            const Subsampling& subsampling, double scale) {
  const int x = PixelX();
  const int y = PixelY();
  double difference = 0;
  if (x < width && y < height) {
    difference = Ciede2000(LabAt<Sample>(reference, x, y, subsampling, scale),
                           LabAt<Sample>(distorted, x, y, subsampling, scale));
  }
  BlockStore(difference, partials);
}

}  // namespace

extern "C" __global__ void ciede_8bpc(Planes reference, Planes distorted, double* partials, int width, int height,
                                      Subsampling subsampling, double scale) {
  Differences<unsigned char>(reference, distorted, partials, width, height, subsampling, scale);
}

extern "C" __global__ void ciede_16bpc(Planes reference, Planes distorted, double* partials, int width, int height,
                                       Subsampling subsampling, double scale) {
  Differences<unsigned short>(reference, distorted, partials, width, height, subsampling, scale);
}
