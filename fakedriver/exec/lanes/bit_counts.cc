// SPDX-License-Identifier: Apache-2.0
//
// Bits counted, found and reversed.
#include "fakedriver/exec/lanes/bit_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// The c-th set bit from position b, upwards for positive c and downwards for negative; position b
// itself for 0.
struct FnsOp : Op<uint32_t> {
  static uint32_t Do(uint32_t mask, uint32_t base, uint32_t offset) {
    if (base > 31) return UINT32_MAX;
    if (offset == 0) return (mask >> base & 1) != 0 ? base : UINT32_MAX;
    const bool down = static_cast<int32_t>(offset) < 0;
    const int32_t step = down ? -1 : 1;
    uint32_t left = down ? 0 - offset : offset;  // the lowest offset has no positive counterpart
    for (int32_t at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<uint32_t>(at);
    }
    return UINT32_MAX;
  }
};

template <typename T>
struct PopcOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    return static_cast<uint32_t>(sizeof(T) == 8 ? __builtin_popcountll(a)
                                                : __builtin_popcount(static_cast<uint32_t>(a)));
  }
};

template <typename T>
struct ClzOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    if (a == 0) return kBits<T>;
    return static_cast<uint32_t>(sizeof(T) == 8 ? __builtin_clzll(a)
                                                : __builtin_clz(static_cast<uint32_t>(a)));
  }
};

template <typename T>
struct BrevOp : Op<T> {
  static T Do(T a) {
    uint64_t x = a;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8;
    x = (x >> 16 & 0x0000ffff0000ffff) | (x & 0x0000ffff0000ffff) << 16;
    x = x >> 32 | x << 32;
    return static_cast<T>(x >> (64 - kBits<T>));
  }
};

// Position of the highest bit that differs from the sign; all ones if there is none.
template <typename T, bool kSigned, bool kShift>
struct BfindOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    if (kSigned && (a >> (kBits<T> - 1)) != 0) a = static_cast<T>(~a);
    if (a == 0) return UINT32_MAX;
    uint32_t zeros = ClzOp<T>::Do(a);
    return kShift ? zeros : kBits<T> - 1 - zeros;
  }
};

}  // namespace

void LowerFns(Lowering& lo) { EmitTernary(lo, TernaryEach<FnsOp>, Type::kB32, Type::kB32); }

void LowerPopc(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<PopcOp<uint64_t>> : Unary<PopcOp<uint32_t>>,
            Type::kU32, lo.type());
}

void LowerClz(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<ClzOp<uint64_t>> : Unary<ClzOp<uint32_t>>, Type::kU32,
            lo.type());
}

void LowerBrev(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<BrevOp<uint64_t>> : Unary<BrevOp<uint32_t>>,
            lo.type(), lo.type());
}

void LowerBfind(Lowering& lo) {
  Type type = lo.type();
  bool shift = lo.Has(Modifier::kShiftamt);
  Handler handler = nullptr;
  if (Bits(type) == 64) {
    handler =
        IsSigned(type)
            ? (shift ? Unary<BfindOp<uint64_t, true, true>> : Unary<BfindOp<uint64_t, true, false>>)
            : (shift ? Unary<BfindOp<uint64_t, false, true>>
                     : Unary<BfindOp<uint64_t, false, false>>);
  } else {
    handler =
        IsSigned(type)
            ? (shift ? Unary<BfindOp<uint32_t, true, true>> : Unary<BfindOp<uint32_t, true, false>>)
            : (shift ? Unary<BfindOp<uint32_t, false, true>>
                     : Unary<BfindOp<uint32_t, false, false>>);
  }
  EmitUnary(lo, handler, Type::kU32, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
