// SPDX-License-Identifier: Apache-2.0
//
// An 8-point cosine transform on integers, made of lifting steps, and of it the transform of an 8 x 8 block.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_LIFTED_DCT_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_LIFTED_DCT_CUH_

constexpr int kBlockSide = 8;
constexpr int kBlockSamples = kBlockSide * kBlockSide;

// Rounded toward zero.
__device__ inline int Half(int v) { return v / 2; }

// v * c / 2^bits, to nearest.
__device__ inline int Scaled(int v, int c, int bits) { return (v * c + (1 << (bits - 1))) >> bits; }

// In place; the samples of the line are `stride` apart.
__device__ inline void TransformLine(int* line, int stride) {
  int p = line[0], q = line[7 * stride], r = line[stride], u = line[6 * stride];
  int v = line[2 * stride], w = line[5 * stride], y = line[3 * stride], z = line[4 * stride];
  // Sums and differences of the samples that mirror each other.
  q = p - q;
  const int half_q = Half(q);
  p -= half_q;
  r += u;
  const int half_r = Half(r);
  u -= half_r;
  w = v - w;
  v -= Half(w);
  y += z;
  const int half_y = Half(y);
  z = half_y - z;
  // The even half.
  p += half_y;
  y = p - y;
  v = half_r - v;
  r = v - r;
  p -= Scaled(r, 13573, 15);
  r += Scaled(p, 11585, 14);
  p -= Scaled(r, 13573, 15);
  y -= Scaled(v, 21895, 15);
  v += Scaled(y, 15137, 14);
  y -= Scaled(v, 21895, 15);
  // The odd half.
  w += Scaled(u, 19195, 15);
  u += Scaled(w, 11585, 14);
  w -= Scaled(u, 7489, 13);
  z = Half(u) - z;
  u -= z;
  w = half_q - w;
  q -= w;
  z += Scaled(q, 3227, 15);
  q -= Scaled(z, 6393, 15);
  z += Scaled(q, 3227, 15);
  u += Scaled(w, 2485, 13);
  w -= Scaled(u, 18205, 15);
  u += Scaled(w, 2485, 13);
  const int coefficients[kBlockSide] = {p, q, v, w, r, u, y, z};
#pragma unroll
  for (int k = 0; k < kBlockSide; ++k) line[k * stride] = coefficients[k];
}

// Columns, then rows.
__device__ inline void TransformBlock(int* block) {
#pragma unroll 1
  for (int x = 0; x < kBlockSide; ++x) TransformLine(block + x, kBlockSide);
#pragma unroll 1
  for (int y = 0; y < kBlockSide; ++y) TransformLine(block + y * kBlockSide, 1);
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_LIFTED_DCT_CUH_
