// SPDX-License-Identifier: Apache-2.0
//
// Floating-point programs of the corpus: matrix products, Mandelbrot, library functions, half precision. Compiled without
// contraction, so that no compiler may choose whether a product and a sum are fused.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using u64 = unsigned long long;

#define KERNEL extern "C" __global__ void __launch_bounds__(128)

__device__ float Single(u64 v) { return static_cast<float>(static_cast<long long>(v)) * 0x1p-58f; }
__device__ double Wide(u64 v) { return static_cast<double>(static_cast<long long>(v)) * 0x1p-58; }
__device__ u64 Bits(float x) { return static_cast<u64>(__float_as_uint(x)); }
__device__ u64 Bits(double x) { return x != x ? 1 : static_cast<u64>(__double_as_longlong(x)); }

KERNEL matrix_product(u64* out, const u64* in) {
  __shared__ float a[16][17], b[16][17];
  for (unsigned n = threadIdx.x; n < 256; n += 128) {
    a[n / 16][n % 16] = Single(in[blockIdx.x * 512 + n]);
    b[n / 16][n % 16] = Single(in[blockIdx.x * 512 + 256 + n]);
  }
  __syncthreads();
  for (unsigned n = threadIdx.x; n < 256; n += 128) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum = fmaf(a[n / 16][k], b[k][n % 16], sum);
    out[blockIdx.x * 256 + n] = Bits(sum);
  }
}

KERNEL mandelbrot(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double cr = -2.0 + 3.0 * (i % 32) / 32, ci = -1.0 + 2.0 * (i / 32) / 16;
  double x = 0, y = 0;
  unsigned rounds = 0;
  while (x * x + y * y < 4 && rounds < 100) {
    const double t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++rounds;
  }
  out[i] = rounds + Bits(x) + (in[i] & 1);
}

KERNEL single_functions(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = Single(in[i]), p = fabsf(x) + 0.25f;
  u64 r = Bits(sinf(x)) + 3 * Bits(cosf(x)) + 5 * Bits(tanf(x * 0.01f));
  r = r * 31 + Bits(expf(x * 0.3f)) + 3 * Bits(logf(p)) + 5 * Bits(powf(p, 1.7f)) + 7 * Bits(sqrtf(p));
  r = r * 31 + Bits(atan2f(x, p)) + 3 * Bits(tanhf(x)) + 5 * Bits(erff(x)) + 7 * Bits(cbrtf(x)) + Bits(rsqrtf(p));
  r = r * 31 + Bits(fmodf(x, 0.7f)) + 3 * Bits(floorf(x)) + 5 * Bits(rintf(x)) + 7 * Bits(x / p) + Bits(lgammaf(p));
  out[i] = r;
}

KERNEL double_functions(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = Wide(in[i]), p = fabs(x) + 0.25;
  u64 r = Bits(sin(x)) + 3 * Bits(cos(x)) + 5 * Bits(exp(x)) + 7 * Bits(log(p));
  r = r * 31 + Bits(pow(p, 1.7)) + 3 * Bits(sqrt(p)) + 5 * Bits(x / p) + 7 * Bits(rsqrt(p)) + 9 * Bits(1.0 / p);
  r = r * 31 + Bits(atan(x)) + 3 * Bits(tanh(x)) + 5 * Bits(fmod(x, 0.7)) + 7 * Bits(cbrt(x)) + 9 * Bits(floor(x));
  out[i] = r;
}

KERNEL fast_functions(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = Single(in[i]), p = fabsf(x) + 0.25f;
  u64 r = Bits(__sinf(x)) + 3 * Bits(__cosf(x)) + 5 * Bits(__expf(x)) + 7 * Bits(__logf(p)) + 9 * Bits(__powf(p, x));
  r = r * 31 + Bits(__fdividef(x, p)) + 3 * Bits(__frcp_rz(p)) + 5 * Bits(__fsqrt_ru(p)) + 7 * Bits(__saturatef(x));
  out[i] = r * 31 + Bits(__fadd_rd(x, p)) + 3 * Bits(__fmul_rz(x, p)) + 5 * Bits(__dmul_ru(x, p)) +
           static_cast<u64>(__float2int_rn(x * 1000)) + static_cast<u64>(__double2ll_rd(Wide(in[i]) * 1e6));
}

KERNEL halves(u64* out, const u64* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = __floats2half2_rn(Single(in[i]), Single(in[i + 512])), b = __float2half2_rn(Single(in[i + 1024]));
  const __half2 s = __hfma2(a, b, __hadd2_sat(a, b)), m = __hmax2(__hmul2(a, a), __hneg2(b));
  const __nv_bfloat162 c = __floats2bfloat162_rn(Single(in[i]), Single(in[i + 512])), d = __hfma2(c, c, __hmul2(c, c));
  u64 r = __half_as_ushort(__low2half(s)) + 3ull * __half_as_ushort(__high2half(m));
  r = r * 31 + __bfloat16_as_ushort(__low2bfloat16(d)) + 3ull * __bfloat16_as_ushort(__high2bfloat16(__habs2(c)));
  r = r * 31 + static_cast<u64>(__half2int_rz(__low2half(a))) + __hlt(__low2half(a), __high2half(a)) + Bits(__half2float(hexp(__low2half(a))));
  out[i] = r + Bits(__half2float(hsqrt(__habs(__low2half(a))))) + Bits(__half2float(hrcp(__high2half(a))));
}

KERNEL blur(u64* out, const u64* in) {
  __shared__ float row[128 + 4];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  row[t + 2] = Single(in[i]);
  if (t < 2) {
    row[t] = Single(in[max(0, static_cast<int>(i) - 2)]);
    row[t + 130] = Single(in[i + 128]);
  }
  __syncthreads();
  const float weights[] = {0.0545f, 0.2442f, 0.4026f, 0.2442f, 0.0545f};
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * row[t + k];
  out[i] = Bits(sum);
}
