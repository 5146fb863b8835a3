// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on half precision, bf16 and pairs of them. Sums and products are formed in single
// precision, whose 24 digits are at least 2p + 2, so that rounding twice is harmless; fused
// operations go through double precision rounded to odd.
#include "fakedriver/exec/lanes/half_value.h"
#include "fakedriver/exec/lanes/special_functions.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

struct F16 {
  static float From(uint16_t h) { return FromHalf(h); }
  static uint16_t To(float f) { return ToHalf(f); }
  static constexpr uint16_t kExponent = 0x7c00;
  static constexpr float kInfiniteFrom = 65536.0f;  // when cut off
};
struct Bf16 {
  static float From(uint16_t h) { return FromBf16(h); }
  static uint16_t To(float f) { return ToBf16(f); }
  static constexpr uint16_t kExponent = 0x7f80;
  static constexpr float kInfiniteFrom = __builtin_inff();
};

enum Flags : uint32_t { kFtz = 1, kSat = 2, kRelu = 4, kNan = 8, kXorSign = 16, kTruncate = 32 };

template <typename F>
CULPRIT_INLINE uint16_t FlushHalf(uint16_t h) {
  return static_cast<uint16_t>((h & F::kExponent) == 0 ? h & 0x8000 : h);
}

template <typename F>
CULPRIT_INLINE uint16_t Finish(float f, uint32_t flags) {
  if ((flags & kSat) != 0) f = Clamp01(f);
  if ((flags & kRelu) != 0 && f <= 0.0f) f = 0.0f;
  uint16_t h = F::To(f);
  const float magnitude = __builtin_fabsf(f);
  if ((flags & kTruncate) != 0 && __builtin_fabsf(F::From(h)) > magnitude &&
      magnitude < F::kInfiniteFrom)
    --h;
  return (flags & kFtz) != 0 ? FlushHalf<F>(h) : h;
}

CULPRIT_INLINE float Add(float a, float b, float, uint32_t) { return a + b; }
CULPRIT_INLINE float Sub(float a, float b, float, uint32_t) { return a - b; }
CULPRIT_INLINE float Mul(float a, float b, float, uint32_t) { return a * b; }

// The product is exact in double precision; the error of the sum decides the last, sticky, digit.
CULPRIT_INLINE float Fma(float a, float b, float c, uint32_t) {
  double product = static_cast<double>(a) * static_cast<double>(b);
  double addend = static_cast<double>(c);
  double sum = product + addend;
  double virtual_addend = sum - product;
  double error = (product - (sum - virtual_addend)) + (addend - virtual_addend);
  uint64_t bits = Cast<uint64_t>(sum);
  bool away = (error < 0) == (sum > 0);
  uint64_t odd = (away ? bits - 1 : bits) | 1;
  bool inexact =
      (error != 0) & (error == error) & ((bits & 0x7ff0000000000000) != 0x7ff0000000000000);
  return ToOdd(Cast<double>(inexact ? odd : bits));
}

template <bool kMax>
CULPRIT_INLINE float MinMax(float a, float b, float, uint32_t flags) {
  uint32_t sign = (Cast<uint32_t>(a) ^ Cast<uint32_t>(b)) & 0x80000000;
  if ((flags & kXorSign) != 0) {
    a = __builtin_fabsf(a);
    b = __builtin_fabsf(b);
  }
  uint32_t x = Cast<uint32_t>(a);
  uint32_t y = Cast<uint32_t>(b);
  float equal = Cast<float>(kMax ? x & y : x | y);
  float least = a < b ? (kMax ? b : a) : (kMax ? a : b);
  float ordered = a == b ? equal : least;
  float one_nan = a != a ? b : a;
  float nan = (flags & kNan) != 0 ? Cast<float>(0x7fffffffu) : one_nan;
  float result = ((a != a) | (b != b)) ? nan : ordered;
  if ((flags & kXorSign) != 0) result = Cast<float>(Cast<uint32_t>(result) | sign);
  return result;
}
// The unit's results are cut off, not rounded.
CULPRIT_INLINE float Ex2(float a, float, float, uint32_t) {
  return Cast<float>(UnitEx2(Cast<uint32_t>(a)));
}
CULPRIT_INLINE float Tanh(float a, float, float, uint32_t) {
  return Cast<float>(UnitTanh(Cast<uint32_t>(a)));
}

template <typename F, float (*kDo)(float, float, float, uint32_t)>
CULPRIT_INLINE uint16_t One(uint16_t a, uint16_t b, uint16_t c, uint32_t flags) {
  if ((flags & kFtz) != 0) {
    a = FlushHalf<F>(a);
    b = FlushHalf<F>(b);
    c = FlushHalf<F>(c);
  }
  return Finish<F>(kDo(F::From(a), F::From(b), F::From(c), flags), flags);
}

template <typename F, float (*kDo)(float, float, float, uint32_t)>
const Instruction* Scalar(Warp& w, const Instruction* i) {
  const uint16_t* a = Lanes<uint16_t>(w, i->a);
  const uint16_t* b = Lanes<uint16_t>(w, i->b);
  const uint16_t* c = Lanes<uint16_t>(w, i->c);
  const uint32_t flags = i->extra;
  AssignEach(w, Lanes<uint16_t>(w, i->d),
             [=](uint32_t l) { return One<F, kDo>(a[l], b[l], c[l], flags); });
  return i + 1;
}

template <typename F, float (*kDo)(float, float, float, uint32_t)>
const Instruction* Packed(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  const uint32_t flags = i->extra;
  AssignEach(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    uint32_t low = One<F, kDo>(static_cast<uint16_t>(a[l]), static_cast<uint16_t>(b[l]),
                               static_cast<uint16_t>(c[l]), flags);
    uint32_t high =
        One<F, kDo>(static_cast<uint16_t>(a[l] >> 16), static_cast<uint16_t>(b[l] >> 16),
                    static_cast<uint16_t>(c[l] >> 16), flags);
    return high << 16 | low;
  });
  return i + 1;
}

template <float (*kDo)(float, float, float, uint32_t)>
Handler ForType(Type type) {
  switch (type) {
    case Type::kF16:
      return Scalar<F16, kDo>;
    case Type::kF16x2:
      return Packed<F16, kDo>;
    case Type::kBf16:
      return Scalar<Bf16, kDo>;
    case Type::kBf16x2:
      return Packed<Bf16, kDo>;
    default:
      return nullptr;
  }
}

// Of NaN the sign is not kept either.
CULPRIT_INLINE float Negative(float a, float, float, uint32_t) { return -a; }
CULPRIT_INLINE float Absolute(float a, float, float, uint32_t) { return __builtin_fabsf(a); }

}  // namespace

void LowerHalf(Lowering& lo) {
  Type type = lo.type();
  Handler handler = nullptr;
  switch (lo.text().opcode) {
    case Opcode::kAdd:
      handler = ForType<Add>(type);
      break;
    case Opcode::kSub:
      handler = ForType<Sub>(type);
      break;
    case Opcode::kMul:
      handler = ForType<Mul>(type);
      break;
    case Opcode::kFma:
      handler = ForType<Fma>(type);
      break;
    case Opcode::kMin:
      handler = ForType<MinMax<false>>(type);
      break;
    case Opcode::kMax:
      handler = ForType<MinMax<true>>(type);
      break;
    case Opcode::kEx2:
      handler = ForType<Ex2>(type);
      break;
    case Opcode::kTanh:
      handler = ForType<Tanh>(type);
      break;
    case Opcode::kNeg:
      handler = ForType<Negative>(type);
      break;
    case Opcode::kAbs:
      handler = ForType<Absolute>(type);
      break;
    default:
      break;
  }
  if (handler == nullptr || lo.Has(Modifier::kRz) || lo.Has(Modifier::kRm) ||
      lo.Has(Modifier::kRp)) {
    lo.Fail("this form of the instruction is not supported");
  }
  Place a = lo.Read(1, type);
  Place b = lo.operand_count() > 2 ? lo.Read(2, type) : a;
  Place c = lo.operand_count() > 3 ? lo.Read(3, type) : a;
  Place d = lo.Write(0, type);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  if (lo.Has(Modifier::kFtz)) i.extra |= kFtz;
  if (lo.Has(Modifier::kSat)) i.extra |= kSat;
  if (lo.Has(Modifier::kRelu)) i.extra |= kRelu;
  if (lo.Has(Modifier::kNaN)) i.extra |= kNan;
  if (lo.Has(Modifier::kXorsign)) i.extra |= kXorSign;
  if (lo.text().opcode == Opcode::kEx2 || lo.text().opcode == Opcode::kTanh) i.extra |= kTruncate;
}

}  // namespace culprit::exec::CULPRIT_LANES
