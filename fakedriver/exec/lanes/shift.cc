// SPDX-License-Identifier: Apache-2.0
//
// Shifts and permutations of bytes.
#include "fakedriver/exec/lanes/bit_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct ShlOp : Op<T> {
  static T Do(T a, uint32_t b) {
    return b >= kBits<T> ? T{0} : static_cast<T>(a << (b & (kBits<T> - 1)));
  }
};

// Signed types fill with the sign.
template <typename T>
struct ShrOp : Op<T> {
  static T Do(T a, uint32_t b) {
    constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
    if (kSigned) return static_cast<T>(a >> (b >= kBits<T> ? kBits<T> - 1 : b));
    return b >= kBits<T> ? T{0} : static_cast<T>(a >> (b & (kBits<T> - 1)));
  }
};

template <bool kLeft, bool kWrap>
struct FunnelOp : Op<uint32_t> {
  static uint32_t Do(uint32_t low, uint32_t high, uint32_t c) {
    uint32_t n = kWrap ? c & 31 : (c > 32 ? 32 : c);
    uint64_t both = uint64_t{high} << 32 | low;
    return static_cast<uint32_t>(kLeft ? (both << n) >> 32 : both >> n);
  }
};

// Picks four of the eight bytes of b:a; the top bit of a selector replicates the byte's sign.
struct PrmtOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      uint32_t selector = c >> (4 * n);
      uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
      if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      result |= byte << (8 * n);
    }
    return result;
  }
};

enum class PrmtMode { kForward, kBackward, kReplicate8, kEdgeLeft, kEdgeRight, kReplicate16 };

template <PrmtMode kMode>
struct PrmtModeOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t s = c & 3;
    uint32_t selectors = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      uint32_t pick = 0;
      if (kMode == PrmtMode::kForward) pick = s + n;
      if (kMode == PrmtMode::kBackward) pick = (s + 8 - n) & 7;
      if (kMode == PrmtMode::kReplicate8) pick = s;
      if (kMode == PrmtMode::kEdgeLeft) pick = n < s ? s : n;
      if (kMode == PrmtMode::kEdgeRight) pick = n < s ? n : s;
      if (kMode == PrmtMode::kReplicate16) pick = (s & 1) * 2 + (n & 1);
      selectors |= pick << (4 * n);
    }
    return PrmtOp::Do(a, b, selectors);
  }
};

}  // namespace

void LowerShl(Lowering& lo) {
  EmitBinary(lo, CULPRIT_FOR_BITS(Shift, ShlOp, lo.type()), lo.type(), lo.type(), Type::kU32);
}

void LowerShr(Lowering& lo) {
  Type type = lo.type();
  Handler handler = CULPRIT_FOR_BITS(Shift, ShrOp, type);
  if (type == Type::kS16) handler = Shift<ShrOp<int16_t>>;
  if (type == Type::kS32) handler = Shift<ShrOp<int32_t>>;
  if (type == Type::kS64) handler = Shift<ShrOp<int64_t>>;
  EmitBinary(lo, handler, type, type, Type::kU32);
}

void LowerShf(Lowering& lo) {
  bool wrap = lo.Has(Modifier::kWrap);
  Handler left = wrap ? Ternary<FunnelOp<true, true>> : Ternary<FunnelOp<true, false>>;
  Handler right = wrap ? Ternary<FunnelOp<false, true>> : Ternary<FunnelOp<false, false>>;
  EmitTernary(lo, lo.Has(Modifier::kL) ? left : right, Type::kB32, Type::kB32);
}

void LowerPrmt(Lowering& lo) {
  Handler handler = Ternary<PrmtOp>;
  if (lo.Has(Modifier::kF4e)) handler = Ternary<PrmtModeOp<PrmtMode::kForward>>;
  if (lo.Has(Modifier::kB4e)) handler = Ternary<PrmtModeOp<PrmtMode::kBackward>>;
  if (lo.Has(Modifier::kRc8)) handler = Ternary<PrmtModeOp<PrmtMode::kReplicate8>>;
  if (lo.Has(Modifier::kEcl)) handler = Ternary<PrmtModeOp<PrmtMode::kEdgeLeft>>;
  if (lo.Has(Modifier::kEcr)) handler = Ternary<PrmtModeOp<PrmtMode::kEdgeRight>>;
  if (lo.Has(Modifier::kRc16)) handler = Ternary<PrmtModeOp<PrmtMode::kReplicate16>>;
  EmitTernary(lo, handler, Type::kB32, Type::kB32);
}

}  // namespace culprit::exec::CULPRIT_LANES
