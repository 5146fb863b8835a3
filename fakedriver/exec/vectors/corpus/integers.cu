// SPDX-License-Identifier: Apache-2.0
//
// Integer programs of the corpus: sorting, scanning, histograms, hashing, recursion, virtual calls, local arrays.
#include <stdint.h>

using u64 = unsigned long long;

#define KERNEL extern "C" __global__ void __launch_bounds__(128)

KERNEL hash(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  u64 h = 14695981039346656037ull;
  const u64 v = in[i];
  for (int n = 0; n < 8; ++n) h = (h ^ (v >> (8 * n) & 0xff)) * 1099511628211ull;
  out[i] = h;
}

KERNEL divisions(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const u64 a = in[i], b = in[i + 512] | 1;
  const long long s = static_cast<long long>(a), t = static_cast<long long>(b);
  const int x = static_cast<int>(a), y = static_cast<int>(b) | 1;
  u64 r = a / b + a % b * 3 + static_cast<u64>(s / t) * 5 + static_cast<u64>(s % t) * 7;
  if (!(x == INT32_MIN && y == -1)) r += static_cast<u64>(static_cast<long long>(x / y) + x % y);
  r += static_cast<uint32_t>(a) / 10 + static_cast<uint16_t>(a) % 7 + static_cast<u64>(x / 3);
  out[i] = r;
}

KERNEL bitonic(u64* out, const u64* in) {
  __shared__ u64 keys[256];
  const unsigned t = threadIdx.x, base = blockIdx.x * 256;
  keys[t] = in[base + t];
  keys[t + 128] = in[base + t + 128];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned low = 2 * t - (t & (stride - 1));
      const bool up = (low & size) == 0;
      const u64 a = keys[low], b = keys[low + stride];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + stride] = a;
      }
      __syncthreads();
    }
  }
  out[base + t] = keys[t];
  out[base + t + 128] = keys[t + 128];
}

KERNEL scan(u64* out, const u64* in) {
  __shared__ unsigned totals[4];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  unsigned sum = static_cast<unsigned>(in[i] >> 40);
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += below;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) sum += totals[w];
  out[i] = sum;
}

KERNEL histogram(u64* out, const u64* in) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned n = threadIdx.x; n < 1024; n += 128) atomicAdd(&bins[in[blockIdx.x * 1024 + n] >> 58], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], static_cast<u64>(bins[threadIdx.x]));
}

KERNEL reduction(u64* out, const u64* in) {
  u64 best = 0, all = 0;
  for (unsigned n = threadIdx.x; n < 1024; n += 128) {
    const u64 v = in[blockIdx.x * 1024 + n];
    best = max(best, v);
    all ^= v;
  }
  for (int d = 16; d > 0; d /= 2) {
    best = max(best, __shfl_xor_sync(~0u, best, d));
    all ^= __shfl_xor_sync(~0u, all, d);
  }
  if ((threadIdx.x & 31) == 0) {
    atomicMax(&out[blockIdx.x], best);
    atomicXor(&out[64 + blockIdx.x], all);
  }
}

__device__ unsigned Ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? Ackermann(m - 1, 1) : Ackermann(m - 1, Ackermann(m, n - 1));
}
KERNEL recursion(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Ackermann(in[i] & 1, in[i] >> 2 & 7);
}

struct Shape {
  __device__ virtual u64 Measure(u64 x) const = 0;
};
struct Square : Shape {
  __device__ u64 Measure(u64 x) const override { return x * x; }
};
struct Shift : Shape {
  unsigned by;
  __device__ explicit Shift(unsigned n) : by(n) {}
  __device__ u64 Measure(u64 x) const override { return x << by | x >> (64 - by); }
};
KERNEL virtual_calls(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square;
  Shift shift(static_cast<unsigned>(in[i] & 31) + 1);
  const Shape* const shapes[] = {&square, &shift};
  u64 x = in[i];
  for (int n = 0; n < 6; ++n) x = shapes[x >> 7 & 1]->Measure(x) + 3;
  out[i] = x;
}

using Step = unsigned (*)(unsigned);
__device__ unsigned Triple(unsigned x) { return 3 * x + 1; }
__device__ unsigned Half(unsigned x) { return x / 2; }
__device__ const Step kSteps[] = {Half, Triple};
KERNEL function_pointers(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = static_cast<unsigned>(in[i] & 0xffff) | 1, rounds = 0;
  while (x != 1 && rounds < 300) {
    x = kSteps[x & 1](x);
    ++rounds;
  }
  out[i] = rounds;
}

KERNEL insertion_sort(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char bytes[8];
  for (int n = 0; n < 8; ++n) bytes[n] = static_cast<unsigned char>(in[i] >> (8 * n));
  for (int n = 1; n < 8; ++n) {
    const unsigned char key = bytes[n];
    int at = n - 1;
    for (; at >= 0 && bytes[at] > key; --at) bytes[at + 1] = bytes[at];
    bytes[at + 1] = key;
  }
  u64 r = 0;
  for (int n = 0; n < 8; ++n) r = r << 8 | bytes[n];
  out[i] = r;
}

struct alignas(8) Record {
  signed char c;
  short s;
  int i;
  u64 w;
  unsigned bits : 5;
  signed more : 11;
};
__device__ Record Change(Record r) {
  r.c = static_cast<signed char>(r.c * 3);
  r.s = static_cast<short>(r.s - r.c);
  r.i ^= r.s;
  r.w += static_cast<u64>(static_cast<long long>(r.i));
  r.bits += 7;
  r.more -= 5;
  return r;
}
KERNEL structures(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const u64 v = in[i];
  Record r{static_cast<signed char>(v), static_cast<short>(v >> 8), static_cast<int>(v >> 16), v,
           static_cast<unsigned>(v & 31), static_cast<signed>(v >> 50 & 0x3ff)};
  for (int n = 0; n < 5; ++n) r = Change(r);
  out[i] = r.w + static_cast<u64>(r.c) * 3 + static_cast<u64>(r.s) * 5 + static_cast<u64>(r.i) * 7 + r.bits * 11 +
           static_cast<u64>(static_cast<long long>(r.more)) * 13;
}

KERNEL switches(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  u64 v = in[i], r = 0;
  for (int n = 0; n < 16; ++n, v >>= 4) {
    switch (v & 15) {
      case 0: r += 3; break;
      case 1: r ^= v; break;
      case 2: r = r << 7 | r >> 57;  // and on
      case 3: r -= 11; break;
      case 4: r *= 31; break;
      case 5: r = __brevll(r); break;
      case 6: r += __popcll(v); break;
      case 7: r += __clzll(r); break;
      case 9: r = ~r; break;
      case 12: r += __ffsll(v); break;
      default: r += v & 15;
    }
  }
  out[i] = r;
}

KERNEL warp_votes(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = static_cast<unsigned>(in[i] >> 32);
  const unsigned odd = __ballot_sync(~0u, v & 1);
  u64 r = odd;
  if (v & 1) r += __popc(__match_any_sync(odd, v & 6)) + __shfl_sync(odd, v, __ffs(odd) - 1);
  r = r * 31 + __any_sync(~0u, v > 0xf0000000u) + 2 * __all_sync(~0u, v > 5);
  r = r * 31 + static_cast<u64>(__syncthreads_count(static_cast<int>(v) < 0));
  out[i] = r * 31 + static_cast<u64>(__syncthreads_or(v == 77)) + __byte_perm(v, odd, 0x4261) +
           __funnelshift_l(v, odd, v) + __vadd4(v, odd) + __dp4a(v, odd, v) + __usad(v, odd, 9);
}

// A lock inside a warp: lanes wait for each other in any order, the sum is the same.
__device__ int lock_word;
KERNEL spin_lock(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      __threadfence();
      volatile u64* cell = out;
      *cell = *cell + (in[i] >> 8);
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
}

KERNEL heap(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned count = static_cast<unsigned>(in[i] & 7) + 1;
  u64* numbers = static_cast<u64*>(malloc(count * sizeof(u64)));
  if (numbers == nullptr) return;
  for (unsigned n = 0; n < count; ++n) numbers[n] = in[i] * n;
  u64 r = 0;
  for (unsigned n = 0; n < count; ++n) r ^= numbers[n] + n;
  free(numbers);
  out[i] = r;
}
