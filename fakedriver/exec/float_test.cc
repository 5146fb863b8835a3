// SPDX-License-Identifier: Apache-2.0
//
// Floating-point arithmetic and conversions against the host's, in every rounding mode;
// approximations within their bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

#include "fakedriver/exec/machine/half.h"
#include "fakedriver/exec/testing/instruction_runner.h"

namespace culprit::exec {
namespace {

using testing::ExpectInstruction;
using F = float;
using D = double;

F Canonical(F x) { return std::isnan(x) ? std::bit_cast<F>(0x7fffffffu) : x; }
F Flush(F x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

// The compiler must not move arithmetic across the change of mode, so operands and results are
// volatile.
template <typename T, typename Do>
T Rounded(int mode, T a, T b, Do op) {
  volatile T x = a;
  volatile T y = b;
  std::fesetround(mode);
  volatile T result = op(x, y);
  std::fesetround(FE_TONEAREST);
  return result;
}

struct Mode {
  const char* text;
  int mode;
};
constexpr Mode kModes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

TEST(Float, ArithmeticIsExactInEveryRoundingMode) {
  for (const Mode& m : kModes) {
    const std::string r = m.text;
    auto both = [&](const std::string& op, auto compute) {
      ExpectInstruction<F, F, F, F>(op + "." + r + ".f32 %d, %a, %b;", [&](F a, F b, F) {
        return Canonical(Rounded(m.mode, a, b, compute));
      });
      ExpectInstruction<D, D, D, D>(op + "." + r + ".f64 %d, %a, %b;",
                                    [&](D a, D b, D) { return Rounded(m.mode, a, b, compute); });
    };
    both("add", [](auto a, auto b) { return a + b; });
    both("sub", [](auto a, auto b) { return a - b; });
    both("mul", [](auto a, auto b) { return a * b; });
    both("div", [](auto a, auto b) { return a / b; });
    ExpectInstruction<F, F, F, F>("fma." + r + ".f32 %d, %a, %b, %c;", [&](F a, F b, F c) {
      return Canonical(Rounded(m.mode, a, b, [&](F x, F y) { return std::fma(x, y, c); }));
    });
    ExpectInstruction<D, D, D, D>("fma." + r + ".f64 %d, %a, %b, %c;", [&](D a, D b, D c) {
      return Rounded(m.mode, a, b, [&](D x, D y) { return std::fma(x, y, c); });
    });
    ExpectInstruction<F, F, F, F>("sqrt." + r + ".f32 %d, %a;", [&](F a, F, F) {
      return Canonical(Rounded(m.mode, a, a, [](F x, F) { return std::sqrt(x); }));
    });
    ExpectInstruction<F, F, F, F>("rcp." + r + ".f32 %d, %a;", [&](F a, F, F) {
      return Canonical(Rounded(m.mode, a, a, [](F x, F) { return 1.0f / x; }));
    });
    ExpectInstruction<F, D, F, F>("cvt." + r + ".f32.f64 %d, %a;", [&](D a, F, F) {
      volatile D x = a;
      std::fesetround(m.mode);
      volatile F result = static_cast<F>(x);
      std::fesetround(FE_TONEAREST);
      return static_cast<F>(result);  // NaN keeps its sign and the upper part of its payload
    });
    ExpectInstruction<F, int64_t, F, F>("cvt." + r + ".f32.s64 %d, %a;", [&](int64_t a, F, F) {
      volatile int64_t x = a;
      std::fesetround(m.mode);
      volatile F result = static_cast<F>(x);
      std::fesetround(FE_TONEAREST);
      return F{result};
    });
  }
}

TEST(Float, FlushingAndSaturation) {
  ExpectInstruction<F, F, F, F>("add.ftz.f32 %d, %a, %b;",
                                [](F a, F b, F) { return Canonical(Flush(Flush(a) + Flush(b))); });
  ExpectInstruction<F, F, F, F>("mul.ftz.f32 %d, %a, %b;", [](F a, F b, F) {
    // What is subnormal before rounding is flushed.
    const D exact = static_cast<D>(Flush(a)) * static_cast<D>(Flush(b));
    const F product = Flush(a) * Flush(b);
    return Canonical(std::fabs(exact) < 0x1p-126 ? std::copysign(0.0f, product) : product);
  });
  ExpectInstruction<F, F, F, F>("fma.rn.sat.f32 %d, %a, %b, %c;", [](F a, F b, F c) {
    F r = std::fma(a, b, c);
    return std::isnan(r) ? 0.0f : std::clamp(r, 0.0f, 1.0f) + 0.0f;
  });
  ExpectInstruction<F, F, F, F>("neg.f32 %d, %a;", [](F a, F, F) {
    return Canonical(std::bit_cast<F>(std::bit_cast<uint32_t>(a) ^ 0x80000000));
  });
  ExpectInstruction<D, D, D, D>("abs.f64 %d, %a;", [](D a, D, D) { return std::fabs(a); });
  ExpectInstruction<F, F, F, F>("copysign.f32 %d, %a, %b;",
                                [](F a, F b, F) { return std::copysign(b, a); });
}

TEST(Float, MinimumAndMaximumPreferNumbers) {
  auto low = [](F a, F b) {
    if (std::isnan(a)) return Canonical(b);
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  };
  auto high = [](F a, F b) {
    if (std::isnan(a)) return Canonical(b);
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? b : a;
    return a < b ? b : a;
  };
  F nan = std::bit_cast<F>(0x7fffffffu);
  ExpectInstruction<F, F, F, F>("min.f32 %d, %a, %b;", [&](F a, F b, F) { return low(a, b); });
  ExpectInstruction<F, F, F, F>("max.f32 %d, %a, %b;", [&](F a, F b, F) { return high(a, b); });
  ExpectInstruction<F, F, F, F>("min.NaN.f32 %d, %a, %b;", [&](F a, F b, F) {
    return std::isnan(a) || std::isnan(b) ? nan : low(a, b);
  });
  ExpectInstruction<F, F, F, F>("max.ftz.f32 %d, %a, %b;",
                                [&](F a, F b, F) { return high(Flush(a), Flush(b)); });
}

TEST(Float, ComparisonsTreatNanAsAsked) {
  auto check = [](const std::string& compare, auto holds) {
    ExpectInstruction<uint32_t, F, F, F>(
        "setp." + compare + ".f32 %q, %a, %b; selp.u32 %d, 1, 0, %q;",
        [&](F a, F b, F) { return holds(a, b) ? 1u : 0u; });
    ExpectInstruction<uint32_t, D, D, D>(
        "setp." + compare + ".f64 %q, %a, %b; selp.u32 %d, 1, 0, %q;",
        [&](D a, D b, D) { return holds(a, b) ? 1u : 0u; });
  };
  check("eq", [](auto a, auto b) { return a == b; });
  check("ne", [](auto a, auto b) { return a < b || a > b; });
  check("lt", [](auto a, auto b) { return a < b; });
  check("ge", [](auto a, auto b) { return a >= b; });
  check("equ", [](auto a, auto b) { return !(a < b || a > b); });
  check("neu", [](auto a, auto b) { return !(a == b); });
  check("ltu", [](auto a, auto b) { return !(a >= b); });
  check("leu", [](auto a, auto b) { return !(a > b); });
  check("gtu", [](auto a, auto b) { return !(a <= b); });
  check("geu", [](auto a, auto b) { return !(a < b); });
  check("num", [](auto a, auto b) { return !std::isnan(a) && !std::isnan(b); });
  check("nan", [](auto a, auto b) { return std::isnan(a) || std::isnan(b); });
}

template <typename T, typename S>
T Converted(S x) {
  if (std::isnan(x))
    return sizeof(S) == 8 || sizeof(T) == 8 ? static_cast<T>(uint64_t{1} << (8 * sizeof(T) - 1))
                                            : T{0};
  if (x >= std::ldexp(S{1}, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
  if (x < static_cast<S>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  return static_cast<T>(x);
}

template <typename T, typename S>
void ExpectToInteger(const std::string& types) {
  ExpectInstruction<T, S, S, S>("cvt.rzi." + types + " %d, %a;",
                                [](S a, S, S) { return Converted<T>(std::trunc(a)); });
  ExpectInstruction<T, S, S, S>("cvt.rni." + types + " %d, %a;",
                                [](S a, S, S) { return Converted<T>(std::nearbyint(a)); });
  ExpectInstruction<T, S, S, S>("cvt.rmi." + types + " %d, %a;",
                                [](S a, S, S) { return Converted<T>(std::floor(a)); });
  ExpectInstruction<T, S, S, S>("cvt.rpi." + types + " %d, %a;",
                                [](S a, S, S) { return Converted<T>(std::ceil(a)); });
}

TEST(Convert, FloatsToIntegersClampAndRound) {
  ExpectToInteger<int32_t, F>("s32.f32");
  ExpectToInteger<uint32_t, F>("u32.f32");
  ExpectToInteger<int16_t, F>("s16.f32");
  ExpectToInteger<uint16_t, F>("u16.f32");
  ExpectToInteger<int64_t, F>("s64.f32");
  ExpectToInteger<uint64_t, F>("u64.f32");
  ExpectToInteger<int32_t, D>("s32.f64");
  ExpectToInteger<uint32_t, D>("u32.f64");
  ExpectToInteger<int64_t, D>("s64.f64");
  ExpectToInteger<uint64_t, D>("u64.f64");
}

TEST(Convert, IntegersToFloats) {
  ExpectInstruction<F, int32_t, F, F>("cvt.rn.f32.s32 %d, %a;",
                                      [](int32_t a, F, F) { return static_cast<F>(a); });
  ExpectInstruction<F, uint32_t, F, F>("cvt.rn.f32.u32 %d, %a;",
                                       [](uint32_t a, F, F) { return static_cast<F>(a); });
  ExpectInstruction<F, uint64_t, F, F>("cvt.rn.f32.u64 %d, %a;",
                                       [](uint64_t a, F, F) { return static_cast<F>(a); });
  ExpectInstruction<D, int64_t, F, F>("cvt.rn.f64.s64 %d, %a;",
                                      [](int64_t a, F, F) { return static_cast<D>(a); });
  ExpectInstruction<F, uint16_t, F, F>("cvt.rn.f32.u16 %d, %a;",
                                       [](uint16_t a, F, F) { return static_cast<F>(a); });
  ExpectInstruction<D, int16_t, F, F>("cvt.rn.f64.s16 %d, %a;",
                                      [](int16_t a, F, F) { return static_cast<D>(a); });
}

TEST(Convert, IntegersTruncateExtendAndSaturate) {
  ExpectInstruction<int64_t, int32_t, F, F>("cvt.s64.s32 %d, %a;",
                                            [](int32_t a, F, F) { return int64_t{a}; });
  ExpectInstruction<uint64_t, uint32_t, F, F>("cvt.u64.u32 %d, %a;",
                                              [](uint32_t a, F, F) { return uint64_t{a}; });
  ExpectInstruction<uint16_t, uint32_t, F, F>(
      "cvt.u16.u32 %d, %a;", [](uint32_t a, F, F) { return static_cast<uint16_t>(a); });
  ExpectInstruction<int32_t, uint32_t, F, F>(
      "cvt.s32.s8 %d, %a;", [](uint32_t a, F, F) { return int32_t{static_cast<int8_t>(a)}; });
  ExpectInstruction<uint16_t, uint64_t, F, F>(
      "cvt.u8.u64 %d, %a;", [](uint64_t a, F, F) { return static_cast<uint16_t>(a & 0xff); });
  ExpectInstruction<int16_t, int32_t, F, F>("cvt.sat.s16.s32 %d, %a;", [](int32_t a, F, F) {
    return static_cast<int16_t>(std::clamp(a, -32768, 32767));
  });
  ExpectInstruction<uint32_t, int64_t, F, F>("cvt.sat.u32.s64 %d, %a;", [](int64_t a, F, F) {
    return static_cast<uint32_t>(std::clamp<int64_t>(a, 0, UINT32_MAX));
  });
}

TEST(Convert, RoundingToIntegralValues) {
  ExpectInstruction<F, F, F, F>("cvt.rni.f32.f32 %d, %a;",
                                [](F a, F, F) { return Canonical(std::nearbyint(a)); });
  ExpectInstruction<F, F, F, F>("cvt.rmi.f32.f32 %d, %a;",
                                [](F a, F, F) { return Canonical(std::floor(a)); });
  ExpectInstruction<D, D, F, F>("cvt.rzi.f64.f64 %d, %a;", [](D a, F, F) { return std::trunc(a); });
  ExpectInstruction<F, F, F, F>("cvt.sat.f32.f32 %d, %a;", [](F a, F, F) {
    return std::isnan(a) ? 0.0f : std::clamp(a, 0.0f, 1.0f) + 0.0f;
  });
}

TEST(Half, ConversionsRoundCorrectly) {
  ExpectInstruction<F, uint16_t, F, F>("cvt.f32.f16 %d, %a;",
                                       [](uint16_t a, F, F) { return Canonical(HalfToFloat(a)); });
  ExpectInstruction<uint16_t, F, F, F>("cvt.rn.f16.f32 %d, %a;",
                                       [](F a, F, F) { return FloatToHalf(a); });
  ExpectInstruction<uint16_t, F, F, F>("cvt.rz.f16.f32 %d, %a;", [](F a, F, F) {
    uint16_t h = FloatToHalf(a);
    if (!std::isnan(a) && std::fabs(HalfToFloat(h)) > std::fabs(a)) --h;
    return h;
  });
  ExpectInstruction<uint16_t, F, F, F>("cvt.rn.bf16.f32 %d, %a;",
                                       [](F a, F, F) { return FloatToBf16(a); });
  ExpectInstruction<uint16_t, D, F, F>("cvt.rn.f16.f64 %d, %a;", [](D a, F, F) {
    if (std::isnan(a)) {
      const uint64_t bits = std::bit_cast<uint64_t>(a);
      return static_cast<uint16_t>((bits >> 48 & 0x8000) | 0x7e00 | (bits >> 42 & 0x3ff));
    }
    // The nearest of all finite halves, ties to even; beyond the midpoint after the largest it is
    // infinite.
    uint16_t best = 0;
    D magnitude = std::fabs(a);
    if (magnitude >= 65520) return static_cast<uint16_t>(0x7c00 | (std::signbit(a) ? 0x8000 : 0));
    auto above = static_cast<uint16_t>(0);
    for (uint16_t low = 0, high = 0x7bff; low <= high;) {
      uint16_t middle = static_cast<uint16_t>((low + high) / 2);
      if (HalfToFloat(middle) <= magnitude) {
        above = middle;
        low = static_cast<uint16_t>(middle + 1);
      } else {
        if (middle == 0) break;
        high = static_cast<uint16_t>(middle - 1);
      }
    }
    best = above;
    D down = magnitude - HalfToFloat(above);
    D up = (above == 0x7bff ? 65536.0
                            : static_cast<D>(HalfToFloat(static_cast<uint16_t>(above + 1)))) -
           magnitude;
    if (up < down || (up == down && (above & 1) != 0)) best = static_cast<uint16_t>(above + 1);
    return static_cast<uint16_t>(best | (std::signbit(a) ? 0x8000 : 0));
  });
}

TEST(Half, ArithmeticRoundsOnce) {
  using H = uint16_t;
  auto canonical = [](F f) { return FloatToHalf(f); };
  ExpectInstruction<H, H, H, H>("add.f16 %d, %a, %b;", [&](H a, H b, H) {
    return canonical(HalfToFloat(a) + HalfToFloat(b));
  });
  ExpectInstruction<H, H, H, H>("mul.f16 %d, %a, %b;", [&](H a, H b, H) {
    return canonical(HalfToFloat(a) * HalfToFloat(b));
  });
  ExpectInstruction<H, H, H, H>("fma.rn.f16 %d, %a, %b, %c;", [&](H a, H b, H c) {
    // Exact in quadruple precision up to one rounding, to which a sticky bit is added by hand.
    __float128 exact = static_cast<__float128>(HalfToFloat(a)) * HalfToFloat(b) +
                       static_cast<__float128>(HalfToFloat(c));
    F nearest = static_cast<F>(exact);
    if (!std::isfinite(nearest)) return canonical(nearest);
    uint32_t bits = std::bit_cast<uint32_t>(nearest);
    if (static_cast<__float128>(nearest) != exact) {
      bool away = nearest > 0 ? static_cast<__float128>(nearest) > exact
                              : static_cast<__float128>(nearest) < exact;
      bits = (away ? bits - 1 : bits) | 1;
    }
    return canonical(std::bit_cast<F>(bits));
  });
  ExpectInstruction<uint32_t, uint32_t, uint32_t, uint32_t>(
      "sub.f16x2 %d, %a, %b;", [&](uint32_t a, uint32_t b, uint32_t) {
        auto sub = [&](uint32_t x, uint32_t y) {
          return uint32_t{
              canonical(HalfToFloat(static_cast<H>(x)) - HalfToFloat(static_cast<H>(y)))};
        };
        return sub(a >> 16, b >> 16) << 16 | sub(a & 0xffff, b & 0xffff);
      });
}

// Largest errors that the PTX ISA gives for these.
TEST(Approximation, StaysWithinTheDocumentedError) {
  struct Case {
    const char* body;
    double (*exact)(double);
    double relative;
    double absolute;
    F low;
    F high;
  };
  const Case cases[] = {
      {"rcp.approx.f32 %d, %a;", [](double x) { return 1 / x; }, 0x1p-23, 0, 0.001f, 1000.0f},
      {"sqrt.approx.f32 %d, %a;", [](double x) { return std::sqrt(x); }, 0x1p-23, 0, 0.0f, 1e6f},
      {"rsqrt.approx.f32 %d, %a;", [](double x) { return 1 / std::sqrt(x); }, 0x1p-22, 0, 0.001f,
       1e6f},
      {"sin.approx.f32 %d, %a;", [](double x) { return std::sin(x); }, 0, 0x1p-20, -3.1f, 3.1f},
      {"cos.approx.f32 %d, %a;", [](double x) { return std::cos(x); }, 0, 0x1p-20, -3.1f, 3.1f},
      {"lg2.approx.f32 %d, %a;", [](double x) { return std::log2(x); }, 0x1p-22, 0x1p-22, 0.01f,
       1e5f},
      {"ex2.approx.f32 %d, %a;", [](double x) { return std::exp2(x); }, 0x1p-22, 0, -100.0f,
       100.0f},
      {"tanh.approx.f32 %d, %a;", [](double x) { return std::tanh(x); }, 0x1p-11, 0, -9.0f, 9.0f},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    std::vector<F> in(1024);
    for (size_t n = 0; n < in.size(); ++n)
      in[n] = c.low + (c.high - c.low) * static_cast<F>(n) / 1023.0f;
    testing::TestDevice device;
    ASSERT_TRUE((device.Load(testing::ToPtx<F, F, F, F>(c.body)))) << device.error.ToLogLine();
    uint64_t d = device.memory.Allocate(4096);
    uint64_t a = device.memory.Upload(in);
    ASSERT_TRUE(device.Run("k", {8, 1, 1}, {128, 1, 1}, testing::Pack(d, a, a, a)).ok());
    std::vector<F> out = device.memory.Download<F>(d, 1024);
    for (size_t n = 0; n < in.size(); ++n) {
      double exact = c.exact(in[n]);
      EXPECT_NEAR(out[n], exact, c.relative * std::fabs(exact) + c.absolute) << in[n];
    }
  }
}

}  // namespace
}  // namespace culprit::exec
