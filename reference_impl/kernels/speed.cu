// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a plane at a sixteenth of its size: every 16th sample under a Gaussian, less its local mean, and the covariance
// of the 25 places of a 5 x 5 block. All in doubles, each sum in a fixed order.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kStep = 16;
constexpr int kTaps = 9;
constexpr int kBlock = 5;
constexpr double kOffset = 128;

// Gaussians of nine and of three taps.
struct Filter {
  double taps[kTaps];
};
struct SmallFilter {
  double taps[3];
};

template <typename Sample>
__device__ void Shrink(const unsigned char* source, size_t pitch, double* target, int width, int height, int target_width,
                       int target_height, Filter filter, float scale) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  double sum = 0;
#pragma unroll 1
  for (int i = 0; i < kTaps; ++i) {
    const int source_x = Reflect(x * kStep + i - kTaps / 2, width);
    double column = 0;
    for (int k = 0; k < kTaps; ++k) {
      const int source_y = Reflect(y * kStep + k - kTaps / 2, height);
      column += filter.taps[k] * (FloatSampleAt<Sample>(source, pitch, source_x, source_y, scale) - kOffset);
    }
    sum += filter.taps[i] * column;
  }
  target[static_cast<size_t>(y) * target_width + x] = sum;
}

}  // namespace

// The block's sum, on every thread. Outside the unnamed namespace: in there, the PTX name of what is shared would depend on the
// path of the source.
__device__ inline double BlockSum(double value) {
  __shared__ double shared;
  const double sum = BlockTotal(value);
  if (FirstOfBlock()) shared = sum;
  __syncthreads();
  return shared;
}

extern "C" __global__ void speed_shrink_8bpc(const unsigned char* source, size_t pitch, double* target, int width, int height,
                                             int target_width, int target_height, Filter filter, float scale) {
  Shrink<unsigned char>(source, pitch, target, width, height, target_width, target_height, filter, scale);
}

extern "C" __global__ void speed_shrink_16bpc(const unsigned char* source, size_t pitch, double* target, int width,
                                              int height, int target_width, int target_height, Filter filter, float scale) {
  Shrink<unsigned short>(source, pitch, target, width, height, target_width, target_height, filter, scale);
}

// The picture less the one after it. The filter is linear, so this is the filtered difference.
extern "C" __global__ void speed_difference(const double* previous, const double* current, double* target, int width,
                                            int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
  target[i] = previous[i] - current[i];
}

extern "C" __global__ void speed_detail(const double* source, double* target, int width, int height, SmallFilter filter) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  double mean = 0;
  for (int i = 0; i < 3; ++i) {
    double column = 0;
    for (int k = 0; k < 3; ++k) {
      column += filter.taps[k] * source[static_cast<size_t>(Reflect(y + k - 1, height)) * width + Reflect(x + i - 1, width)];
    }
    mean += filter.taps[i] * column;
  }
  const size_t i = static_cast<size_t>(y) * width + x;
  target[i] = source[i] - mean;
}

// A block of threads for each pair of places, which writes both of its elements. `inner_width` x `inner_height` are the positions of the 5 x 5 window.
extern "C" __global__ void speed_covariance(const double* detail, double* covariance, int width, int inner_width,
                                            int inner_height) {
  const int first = blockIdx.x;
  const int second = blockIdx.y;
  if (second < first) return;  // the other block of the pair does it
  const int positions = inner_width * inner_height;
  const double* first_place = detail + first / kBlock * width + first % kBlock;
  const double* second_place = detail + second / kBlock * width + second % kBlock;
  double first_sum = 0;
  double second_sum = 0;
  for (int i = threadIdx.x; i < positions; i += blockDim.x) {
    const int at = i / inner_width * width + i % inner_width;
    first_sum += first_place[at];
    second_sum += second_place[at];
  }
  const double first_mean = BlockSum(first_sum) / positions;
  const double second_mean = BlockSum(second_sum) / positions;
  double product = 0;
  for (int i = threadIdx.x; i < positions; i += blockDim.x) {
    const int at = i / inner_width * width + i % inner_width;
    product += (first_place[at] - first_mean) * (second_place[at] - second_mean);
  }
  const double total = BlockTotal(product);
  if (!FirstOfBlock()) return;
  covariance[first * gridDim.y + second] = total / positions;
  covariance[second * gridDim.y + first] = total / positions;
}
