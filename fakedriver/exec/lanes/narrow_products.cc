// SPDX-License-Identifier: Apache-2.0
//
// Products of 24 bits, and of bytes and halves summed (dp4a, dp2a).
#include "fakedriver/exec/lanes/integer_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

CULPRIT_INLINE int64_t Low24(uint32_t x, bool is_signed) {
  return is_signed ? static_cast<int32_t>(x << 8) >> 8 : static_cast<int64_t>(x & 0xffffff);
}

template <bool kSigned, bool kHigh>
struct Mul24Op : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    int64_t product = Low24(a, kSigned) * Low24(b, kSigned);
    return static_cast<uint32_t>(kHigh ? product >> 16 : product);
  }
};

template <bool kSigned, bool kHigh>
struct Mad24Op : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    return Mul24Op<kSigned, kHigh>::Do(a, b) + c;
  }
};

struct Mad24HiSatOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b, int32_t c) {
    return Saturate(int64_t{static_cast<int32_t>(Mul24Op<true, true>::Do(
                        static_cast<uint32_t>(a), static_cast<uint32_t>(b)))} +
                    c);
  }
};

template <bool kSignedA, bool kSignedB>
struct Dp4aOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t n = 0; n < 32; n += 8) {
      int32_t x = kSignedA ? static_cast<int8_t>(a >> n) : static_cast<int32_t>(a >> n & 0xff);
      int32_t y = kSignedB ? static_cast<int8_t>(b >> n) : static_cast<int32_t>(b >> n & 0xff);
      c += static_cast<uint32_t>(x * y);
    }
    return c;
  }
};

template <bool kSignedA, bool kSignedB, bool kHigh>
struct Dp2aOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t n = 0; n < 2; ++n) {
      uint32_t byte = b >> (8 * n + (kHigh ? 16 : 0));
      uint32_t half = a >> (16 * n);
      int32_t x = kSignedA ? static_cast<int16_t>(half) : static_cast<int32_t>(half & 0xffff);
      int32_t y = kSignedB ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte & 0xff);
      c += static_cast<uint32_t>(x * y);
    }
    return c;
  }
};

}  // namespace

void LowerMul24(Lowering& lo) {
  bool is_signed = lo.type() == Type::kS32;
  bool high = lo.Has(Modifier::kHi);
  EmitBinary(lo,
             is_signed ? (high ? Binary<Mul24Op<true, true>> : Binary<Mul24Op<true, false>>)
                       : (high ? Binary<Mul24Op<false, true>> : Binary<Mul24Op<false, false>>),
             lo.type(), lo.type());
}

void LowerMad24(Lowering& lo) {
  bool is_signed = lo.type() == Type::kS32;
  bool high = lo.Has(Modifier::kHi);
  Handler handler = is_signed
                        ? (high ? Ternary<Mad24Op<true, true>> : Ternary<Mad24Op<true, false>>)
                        : (high ? Ternary<Mad24Op<false, true>> : Ternary<Mad24Op<false, false>>);
  if (lo.Has(Modifier::kSat)) handler = is_signed && high ? Ternary<Mad24HiSatOp> : nullptr;
  EmitTernary(lo, handler, lo.type(), lo.type());
}

void LowerDp4a(Lowering& lo) {
  bool a = IsSigned(lo.type(0));
  bool b = IsSigned(lo.type(1));
  EmitTernary(lo,
              a ? (b ? Ternary<Dp4aOp<true, true>> : Ternary<Dp4aOp<true, false>>)
                : (b ? Ternary<Dp4aOp<false, true>> : Ternary<Dp4aOp<false, false>>),
              Type::kB32, Type::kB32);
}

void LowerDp2a(Lowering& lo) {
  bool a = IsSigned(lo.type(0));
  bool b = IsSigned(lo.type(1));
  Handler low =
      a ? (b ? Ternary<Dp2aOp<true, true, false>> : Ternary<Dp2aOp<true, false, false>>)
        : (b ? Ternary<Dp2aOp<false, true, false>> : Ternary<Dp2aOp<false, false, false>>);
  Handler high = a ? (b ? Ternary<Dp2aOp<true, true, true>> : Ternary<Dp2aOp<true, false, true>>)
                   : (b ? Ternary<Dp2aOp<false, true, true>> : Ternary<Dp2aOp<false, false, true>>);
  EmitTernary(lo, lo.Has(Modifier::kHi) ? high : low, Type::kB32, Type::kB32);
}

}  // namespace culprit::exec::CULPRIT_LANES
