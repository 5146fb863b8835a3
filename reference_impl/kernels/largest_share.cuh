// SPDX-License-Identifier: Apache-2.0
//
// Sums the largest values of each of several layers of non-negative fractions, without sorting: the bits of such a number are in
// the order of its value, so the smallest value that still counts is found digit by digit, from histograms. Integer arithmetic
// alone, so every device gives the same bits.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_LARGEST_SHARE_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_LARGEST_SHARE_CUH_

#include "reference_impl/kernels/block_sum.cuh"

constexpr int kLayers = 5;
constexpr int kBins = 2048;
constexpr int kThreads = 256;
constexpr int kBinsOfThread = kBins / kThreads;
constexpr float kFixedPoint = 16777216.0f;  // values of 0.5 and more have at most 24 bits behind the point

struct Layers {
  unsigned long long offset[kLayers];  // of the first sample
  unsigned samples[kLayers];
  unsigned wanted[kLayers];  // the largest of how many are summed
};

// What is known of the smallest value that counts: its leading digits, and how many with just those are wanted.
struct Selection {
  unsigned prefix;
  unsigned wanted;
};

// The values above the smallest one that counts, in fixed point, and how often that one counts.
struct Share {
  unsigned long long above;
  float smallest;
  unsigned of_smallest;
};

// A block a layer.
__device__ inline void StartSelection(const Layers* layers, unsigned* bins, Selection* selections) {
  const int layer = blockIdx.y;
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) bins[layer * kBins + bin] = 0;
  if (threadIdx.x == 0) selections[layer] = {0, layers->wanted[layer]};
}

// Values whose digits above this one are the prefix, by this digit, which has `width` bits and starts at bit `shift`.
__device__ inline void CountDigits(const float* values, const Layers* layers, const Selection* selections, unsigned* bins,
                                   int shift, int width) {
  const int layer = blockIdx.y;
  const unsigned prefix = selections[layer].prefix;
  const unsigned mask = (1u << width) - 1;
  const float* own = values + layers->offset[layer];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < layers->samples[layer]; i += gridDim.x * blockDim.x) {
    const unsigned bits = __float_as_uint(own[i]);
    if (bits >> (shift + width) == prefix) atomicAdd(&bins[layer * kBins + (bits >> shift & mask)], 1u);
  }
}

// A block of kThreads a layer: the digit at which the wanted number is reached from above. Empties the bins.
__device__ inline void PickDigit(unsigned* bins, Selection* selections, int width) {
  __shared__ unsigned of_thread[kThreads];
  const int layer = blockIdx.y;
  unsigned* own = bins + layer * kBins + threadIdx.x * kBinsOfThread;
  unsigned sum = 0;
  for (int bin = 0; bin < kBinsOfThread; ++bin) sum += own[bin];
  of_thread[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned wanted = selections[layer].wanted;
    int thread = kThreads - 1;
    for (; thread > 0 && of_thread[thread] < wanted; --thread) wanted -= of_thread[thread];
    int bin = (thread + 1) * kBinsOfThread - 1;
    for (; bin > thread * kBinsOfThread && bins[layer * kBins + bin] < wanted; --bin) wanted -= bins[layer * kBins + bin];
    selections[layer] = {selections[layer].prefix << width | static_cast<unsigned>(bin), wanted};
  }
  __syncthreads();
  for (int bin = 0; bin < kBinsOfThread; ++bin) own[bin] = 0;
}

__device__ inline void SumShare(const float* values, const Layers* layers, const Selection* selections, Share* shares) {
  const int layer = blockIdx.y;
  const Selection selection = selections[layer];
  const float* own = values + layers->offset[layer];
  unsigned long long sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < layers->samples[layer]; i += gridDim.x * blockDim.x) {
    const float value = own[i];
    if (__float_as_uint(value) > selection.prefix) sum += static_cast<unsigned long long>(value * kFixedPoint);
  }
  BlockAdd(sum, &shares[layer].above);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    shares[layer].smallest = __uint_as_float(selection.prefix);
    shares[layer].of_smallest = selection.wanted;
  }
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_LARGEST_SHARE_CUH_
