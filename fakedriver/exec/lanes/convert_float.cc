// SPDX-License-Identifier: Apache-2.0
//
// Conversions between floating-point formats, and rounding to integral values.
#include <cfenv>

#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/half_rounding.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// Formats as memory types and how they become single or double precision.
struct F16Format {
  using Stored = uint16_t;
  static float From(uint16_t h) { return FromHalf(h); }
};
struct Bf16Format {
  using Stored = uint16_t;
  static float From(uint16_t h) { return FromBf16(h); }
};
struct F32Format {
  using Stored = float;
  static float From(float f) { return f; }
};

CULPRIT_INLINE float FinishSingle(float x, uint32_t flags) {
  if ((flags & kFtz) != 0) x = Flush(x);
  if ((flags & kSat) != 0) x = Clamp01(x);
  if ((flags & kRelu) != 0) x = x <= 0.0f ? 0.0f : x;
  return x;
}

// To single precision: exact. NaN passes as it is from bf16 and where nothing is asked for.
template <typename Format, bool kPassNan>
const Instruction* ToSingle(Warp& w, const Instruction* i) {
  const typename Format::Stored* a = Lanes<typename Format::Stored>(w, i->a);
  const uint32_t flags = i->extra;
  Assign(w, Lanes<float>(w, i->d), [=](uint32_t l) {
    float x = Format::From(a[l]);
    if ((flags & kFtz) != 0) x = Flush(x);
    x = FinishSingle(x, flags);
    return kPassNan && flags == 0 ? x : CanonicalNan(x);
  });
  return i + 1;
}

// The host's rounding mode does the rounding. NaN keeps its sign and the upper part of its payload.
const Instruction* DoubleToSingle(Warp& w, const Instruction* i) {
  const double* a = Lanes<double>(w, i->a);
  const uint32_t flags = i->extra;
  const int mode = static_cast<int>(i->immediate);
  if (mode != FE_TONEAREST) fesetround(mode);
  Assign(w, Lanes<float>(w, i->d), [=](uint32_t l) {
    float x = static_cast<float>(a[l]);
    const bool tiny = (a[l] < 0x1p-126) & (a[l] > -0x1p-126);
    if ((flags & kFtz) != 0 && tiny) x = Cast<float>(Cast<uint32_t>(x) & 0x80000000);
    return FinishSingle(x, flags);
  });
  if (mode != FE_TONEAREST) fesetround(FE_TONEAREST);
  return i + 1;
}

template <typename Format>
const Instruction* ToDouble(Warp& w, const Instruction* i) {
  const typename Format::Stored* a = Lanes<typename Format::Stored>(w, i->a);
  const uint32_t flags = i->extra;
  Assign(w, Lanes<double>(w, i->d), [=](uint32_t l) {
    float x = Format::From(a[l]);
    if ((flags & kFtz) != 0) x = CanonicalNan(Flush(x));
    double wide = static_cast<double>(x);
    return (flags & kSat) != 0 ? Clamp01(wide) : wide;
  });
  return i + 1;
}

// Integral values; the mode is in the immediate.
template <typename F, F (*kRound)(F)>
const Instruction* Integral(Warp& w, const Instruction* i) {
  const F* a = Lanes<F>(w, i->a);
  const uint32_t flags = i->extra;
  Assign(w, Lanes<F>(w, i->d), [=](uint32_t l) {
    F x = a[l];
    if constexpr (sizeof(F) == 4) {
      if ((flags & kFtz) != 0) x = Flush(x);
    }
    x = kRound(x);
    if constexpr (sizeof(F) == 4) x = CanonicalNan(x);
    return (flags & kSat) != 0 ? Clamp01(x) : x;
  });
  return i + 1;
}
CULPRIT_INLINE float Nearest(float x) { return __builtin_rintf(x); }
CULPRIT_INLINE float Zero(float x) { return __builtin_truncf(x); }
CULPRIT_INLINE float Down(float x) { return __builtin_floorf(x); }
CULPRIT_INLINE float Up(float x) { return __builtin_ceilf(x); }
CULPRIT_INLINE double Nearest(double x) { return __builtin_rint(x); }
CULPRIT_INLINE double Zero(double x) { return __builtin_trunc(x); }
CULPRIT_INLINE double Down(double x) { return __builtin_floor(x); }
CULPRIT_INLINE double Up(double x) { return __builtin_ceil(x); }

const Instruction* SaturateDouble(Warp& w, const Instruction* i) {
  const double* a = Lanes<double>(w, i->a);
  const uint32_t flags = i->extra;
  Assign(w, Lanes<double>(w, i->d),
         [=](uint32_t l) { return (flags & kSat) != 0 ? Clamp01(a[l]) : a[l]; });
  return i + 1;
}

template <typename F, bool kBf16>
const Instruction* ToHalfHandler(Warp& w, const Instruction* i) {
  const F* a = Lanes<F>(w, i->a);
  const uint32_t flags = i->extra;
  const Direction direction = static_cast<Direction>(i->immediate);
  if (direction == Direction::kNearest && flags == 0 && sizeof(F) == 4) {
    Assign(w, Lanes<uint16_t>(w, i->d), [=](uint32_t l) {
      float x = static_cast<float>(a[l]);
      return kBf16 ? ToBf16(x) : ToHalf(x);
    });
    return i + 1;
  }
  AssignEach(w, Lanes<uint16_t>(w, i->d), [=](uint32_t l) {
    // .ftz is for results of single precision, which there are none of.
    return ToHalfDirected<kBf16>(static_cast<double>(a[l]), direction, flags);
  });
  return i + 1;
}

// a in the upper half, b in the lower.
template <bool kBf16>
const Instruction* ToPair(Warp& w, const Instruction* i) {
  const float* a = Lanes<float>(w, i->a);
  const float* b = Lanes<float>(w, i->b);
  const uint32_t flags = i->extra;
  const Direction direction = static_cast<Direction>(i->immediate);
  AssignEach(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    uint32_t high = ToHalfDirected<kBf16>(static_cast<double>(a[l]), direction, flags);
    uint32_t low = ToHalfDirected<kBf16>(static_cast<double>(b[l]), direction, flags);
    return high << 16 | low;
  });
  return i + 1;
}

// 10 bits of fraction; the immediate is the mode. Rounding ties away cuts NaN off.
enum class Tf32 : int64_t { kTiesAway, kNearest, kZero };
const Instruction* ToTf32(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  const uint32_t flags = i->extra;
  const Tf32 mode = static_cast<Tf32>(i->immediate);
  Assign(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    uint32_t bits = a[l];
    bool nan = (bits & 0x7fffffff) > 0x7f800000;
    if ((flags & kRelu) != 0 && bits >> 31 != 0 && !nan) bits = 0;
    bool infinite = (bits & 0x7fffffff) == 0x7f800000;
    uint32_t half = mode == Tf32::kTiesAway  ? 0x1000u
                    : mode == Tf32::kNearest ? 0xfffu + (bits >> 13 & 1)
                                             : 0u;
    uint32_t rounded = infinite ? bits : (bits + (nan ? 0 : half)) & 0xffffe000;
    if ((flags & kSatFinite) != 0 && (rounded & 0x7f800000) == 0x7f800000) rounded -= 0x2000;
    return nan && mode != Tf32::kTiesAway ? 0x7fffe000u : rounded;
  });
  return i + 1;
}

bool IsIntegral(const Lowering& lo) {
  return lo.Has(Modifier::kRni) || lo.Has(Modifier::kRzi) || lo.Has(Modifier::kRmi) ||
         lo.Has(Modifier::kRpi);
}

template <typename F>
Handler IntegralHandler(const Lowering& lo) {
  if (lo.Has(Modifier::kRni)) return Integral<F, Nearest>;
  if (lo.Has(Modifier::kRzi)) return Integral<F, Zero>;
  if (lo.Has(Modifier::kRmi)) return Integral<F, Down>;
  return Integral<F, Up>;
}

Handler HandlerFor(const Lowering& lo, Type to, Type from) {
  switch (to) {
    case Type::kF32:
      if (from == Type::kF32)
        return IsIntegral(lo) ? IntegralHandler<float>(lo) : ToSingle<F32Format, true>;
      if (from == Type::kF64) return DoubleToSingle;
      if (from == Type::kF16) return ToSingle<F16Format, false>;
      if (from == Type::kBf16) return ToSingle<Bf16Format, true>;
      return nullptr;
    case Type::kF64:
      if (from == Type::kF64) return IsIntegral(lo) ? IntegralHandler<double>(lo) : SaturateDouble;
      if (from == Type::kF32) return ToDouble<F32Format>;
      if (from == Type::kF16) return ToDouble<F16Format>;
      if (from == Type::kBf16) return ToDouble<Bf16Format>;
      return nullptr;
    case Type::kF16:
      if (from == Type::kF32) return ToHalfHandler<float, false>;
      if (from == Type::kF64) return ToHalfHandler<double, false>;
      return nullptr;
    case Type::kBf16:
      if (from == Type::kF32) return ToHalfHandler<float, true>;
      if (from == Type::kF64) return ToHalfHandler<double, true>;
      return nullptr;
    case Type::kTf32:
      return ToTf32;
    default:
      return nullptr;
  }
}

}  // namespace

void LowerFloatToFloat(Lowering& lo) {
  Type to = lo.type(0);
  Type from = lo.type(1);
  bool pair = to == Type::kF16x2 || to == Type::kBf16x2;
  Handler handler = pair && from == Type::kF32 ? (to == Type::kF16x2 ? ToPair<false> : ToPair<true>)
                                               : HandlerFor(lo, to, from);
  // Half to half goes through single precision.
  bool half_source = from == Type::kF16 || from == Type::kBf16;
  bool half_target = to == Type::kF16 || to == Type::kBf16;
  Place a = lo.Read(1, from);
  if (handler == nullptr && half_source && half_target) {
    Place single = lo.Scratch(4);
    Instruction& i =
        lo.Emit(from == Type::kF16 ? ToSingle<F16Format, false> : ToSingle<Bf16Format, true>);
    i.d = single;
    i.a = a;
    a = single;
    if (IsIntegral(lo)) {
      Instruction& round = lo.Emit(IntegralHandler<float>(lo));
      round.d = round.a = single;
    }
    handler = to == Type::kF16 ? ToHalfHandler<float, false> : ToHalfHandler<float, true>;
  }
  if (handler == nullptr || lo.Has(Modifier::kRs))
    lo.Fail("this form of the instruction is not supported");
  Place b = pair ? lo.Read(2, from) : 0;
  Place d = lo.Write(0, to == Type::kTf32 ? Type::kB32 : to);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  if (lo.Has(Modifier::kFtz)) i.extra |= kFtz;
  if (lo.Has(Modifier::kSat)) i.extra |= kSat;
  if (lo.Has(Modifier::kRelu)) i.extra |= kRelu;
  if (lo.Has(Modifier::kSatfinite)) i.extra |= kSatFinite;
  if (from == Type::kF64) i.extra |= kFromDouble;
  if (to == Type::kF32) {
    i.immediate = lo.Has(Modifier::kRz)   ? FE_TOWARDZERO
                  : lo.Has(Modifier::kRm) ? FE_DOWNWARD
                  : lo.Has(Modifier::kRp) ? FE_UPWARD
                                          : FE_TONEAREST;
  } else if (to == Type::kTf32) {
    Tf32 mode = lo.Has(Modifier::kRna)  ? Tf32::kTiesAway
                : lo.Has(Modifier::kRz) ? Tf32::kZero
                                        : Tf32::kNearest;
    i.immediate = static_cast<int64_t>(mode);
  } else {
    Direction direction = lo.Has(Modifier::kRz)   ? Direction::kZero
                          : lo.Has(Modifier::kRm) ? Direction::kDown
                          : lo.Has(Modifier::kRp) ? Direction::kUp
                                                  : Direction::kNearest;
    i.immediate = static_cast<int64_t>(direction);
  }
}

}  // namespace culprit::exec::CULPRIT_LANES
