// SPDX-License-Identifier: Apache-2.0
//
// A recursive Gaussian over rows and over columns, zero outside the picture, and what follows from the blurred planes: three maps
// of differences, summed. Five planes are blurred: both pictures, their squares, and their product; they lie one after the other.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kSections = 3;

// Three second-order sections, whose sum is the filter of `reach` samples to each side.
struct Recursion {
  int reach;
  float input[kSections];
  float feedback[kSections];
};

enum { kReference, kDistorted, kReferenceSquared, kDistortedSquared, kProduct };

// Filters the line of `count` samples that `at(i)` gives, and stores with `store(i, value)`.
template <typename At, typename Store>
__device__ void FilterLine(const Recursion& recursion, int count, At at, Store store) {
  float last[kSections] = {};
  float before_last[kSections] = {};
  for (int i = 1 - recursion.reach; i < count; ++i) {
    const int left = i - recursion.reach - 1;
    const int right = i + recursion.reach - 1;
    float sum = 0;
    if (left >= 0) sum += at(left);
    if (right < count) sum += at(right);
    float filtered = 0;
#pragma unroll
    for (int k = 0; k < kSections; ++k) {
      const float output = recursion.input[k] * sum - recursion.feedback[k] * last[k] - before_last[k];
      before_last[k] = last[k];
      last[k] = output;
      filtered += output;
    }
    if (i >= 0) store(i, filtered);
  }
}

// What is summed of a map's value: itself and its fourth power.
struct Norms {
  double sum, fourth;
};
__device__ Norms NormsOf(double value) {
  const double square = value * value;
  return {value, square * square};
}

}  // namespace

// A thread a row; a layer of the grid a blurred plane. The planes are one colour of both pictures.
extern "C" __global__ void ssimulacra2_rows(const float* reference, const float* distorted, float* target, int width, int height,
                                            Recursion recursion) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const int plane = blockIdx.y;
  if (y >= height) return;
  const size_t start = static_cast<size_t>(y) * width;
  const float* first = (plane == kDistorted || plane == kDistortedSquared ? distorted : reference) + start;
  const float* second = (plane == kReferenceSquared ? reference : distorted) + start;
  float* to = target + static_cast<size_t>(plane) * width * height + start;
  const auto store = [&](int x, float value) { to[x] = value; };
  if (plane == kReference || plane == kDistorted) {
    FilterLine(recursion, width, [&](int x) { return first[x]; }, store);
  } else {
    FilterLine(recursion, width, [&](int x) { return first[x] * second[x]; }, store);
  }
}

// A thread a column.
extern "C" __global__ void ssimulacra2_columns(const float* rows, float* target, int width, int height, Recursion recursion) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const size_t start = static_cast<size_t>(blockIdx.y) * width * height + x;
  FilterLine(recursion, height, [&](int y) { return rows[start + static_cast<size_t>(y) * width]; },
             [&](int y, float value) { target[start + static_cast<size_t>(y) * width] = value; });
}

// Partial sums, `blocks` apart: of dissimilarity, of edges that were added, of edges that were lost; and of their fourth powers.
extern "C" __global__ void ssimulacra2_maps(const float* reference, const float* distorted, const float* blurred,
                                            double* partials, int width, int height, int blocks) {
  constexpr double kC2 = 0.0009;
  const int x = PixelX();
  const int y = PixelY();
  Norms dissimilar{};
  Norms added{};
  Norms lost{};
  if (x < width && y < height) {
    const size_t samples = static_cast<size_t>(width) * height;
    const size_t i = static_cast<size_t>(y) * width + x;
    const double mu_r = blurred[i];
    const double mu_d = blurred[i + samples];
    const double variance_r = blurred[i + 2 * samples] - mu_r * mu_r;
    const double variance_d = blurred[i + 3 * samples] - mu_d * mu_d;
    const double covariance = blurred[i + 4 * samples] - mu_r * mu_d;
    const double luminance = 1 - (mu_r - mu_d) * (mu_r - mu_d);
    const double structure = (2 * covariance + kC2) / (variance_r + variance_d + kC2);
    dissimilar = NormsOf(fmax(0.0, 1 - luminance * structure));
    const double edge = (1 + fabs(distorted[i] - mu_d)) / (1 + fabs(reference[i] - mu_r)) - 1;
    added = NormsOf(fmax(0.0, edge));
    lost = NormsOf(fmax(0.0, -edge));
  }
  BlockStore(dissimilar.sum, partials);
  BlockStore(added.sum, partials + blocks);
  BlockStore(lost.sum, partials + 2 * blocks);
  BlockStore(dissimilar.fourth, partials + 3 * blocks);
  BlockStore(added.fourth, partials + 4 * blocks);
  BlockStore(lost.fourth, partials + 5 * blocks);
}
