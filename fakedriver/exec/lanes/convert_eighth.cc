// SPDX-License-Identifier: Apache-2.0
//
// Conversions to and from pairs of 8-bit floats: e4m3 (largest 448, no infinity) and e5m2 (largest
// 57344). Values beyond the largest become it, .satfinite or not, as no other form exists.
#include "fakedriver/exec/lanes/half_value.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

struct E4m3 {
  static constexpr uint32_t kFraction = 3;
  static constexpr uint32_t kBias = 7;
  static constexpr float kLargest = 448.0f;
  static constexpr uint32_t kLargestBits = 0x7e;
  static constexpr uint32_t kFirstNan = 0x7f;
};
struct E5m2 {
  static constexpr uint32_t kFraction = 2;
  static constexpr uint32_t kBias = 15;
  static constexpr float kLargest = 57344.0f;
  static constexpr uint32_t kLargestBits = 0x7b;
  static constexpr uint32_t kFirstNan = 0x7d;
};

// To nearest, ties to even: adding a power of two aligns the last digit and rounds.
template <typename F>
CULPRIT_INLINE uint32_t Narrow(float x, bool relu) {
  const uint32_t bits = Cast<uint32_t>(x);
  const uint32_t sign = bits >> 24 & 0x80;
  if (x != x) return 0x7f;
  if (relu && x <= 0.0f) return 0;
  const float magnitude = Cast<float>(bits & 0x7fffffff);
  if (magnitude >= F::kLargest) return sign | F::kLargestBits;
  const uint32_t least = 128 - F::kBias;  // exponent of the least normal value, biased by 127
  const uint32_t own = bits >> 23 & 0xff;
  const uint32_t exponent = own > least ? own : least;
  const float aligner = Cast<float>((exponent + 23 - F::kFraction) << 23);
  const uint32_t digits = Cast<uint32_t>(magnitude + aligner) - Cast<uint32_t>(aligner);
  return sign | (((exponent - least) << F::kFraction) + digits);
}

// Exact; NaN becomes 0x7fff.
template <typename F>
CULPRIT_INLINE uint32_t Widen8(uint32_t byte, bool relu) {
  const uint32_t magnitude = byte & 0x7f;
  if (magnitude >= F::kFirstNan) return 0x7fff;
  const bool negative = (byte & 0x80) != 0;
  if (relu && negative) return 0;
  const float scaled = Cast<float>(magnitude << (23 - F::kFraction));
  const float value = scaled * Cast<float>((254 - F::kBias) << 23);
  const uint32_t infinite = F::kLargestBits == 0x7b && magnitude == 0x7c ? 0x7c00 : 0;
  const uint32_t half = infinite != 0 ? infinite : uint32_t{ToHalf(value)};
  return (negative ? 0x8000u : 0u) | half;
}

template <typename F>
const Instruction* FromSingles(Warp& w, const Instruction* i) {
  const float* a = Lanes<float>(w, i->a);
  const float* b = Lanes<float>(w, i->b);
  const bool relu = i->extra != 0;
  AssignEach(w, Lanes<uint16_t>(w, i->d), [=](uint32_t l) {
    return static_cast<uint16_t>(Narrow<F>(a[l], relu) << 8 | Narrow<F>(b[l], relu));
  });
  return i + 1;
}

template <typename F>
const Instruction* FromHalves(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  const bool relu = i->extra != 0;
  AssignEach(w, Lanes<uint16_t>(w, i->d), [=](uint32_t l) {
    const float high = FromHalf(static_cast<uint16_t>(a[l] >> 16));
    const float low = FromHalf(static_cast<uint16_t>(a[l]));
    return static_cast<uint16_t>(Narrow<F>(high, relu) << 8 | Narrow<F>(low, relu));
  });
  return i + 1;
}

template <typename F>
const Instruction* ToHalves(Warp& w, const Instruction* i) {
  const uint16_t* a = Lanes<uint16_t>(w, i->a);
  const bool relu = i->extra != 0;
  AssignEach(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    return Widen8<F>(static_cast<uint32_t>(a[l] >> 8), relu) << 16 |
           Widen8<F>(static_cast<uint32_t>(a[l] & 0xff), relu);
  });
  return i + 1;
}

bool IsEighth(Type type) { return type == Type::kE4m3x2 || type == Type::kE5m2x2; }

template <typename F>
void Lower(Lowering& lo) {
  const Type to = lo.type(0);
  const Type from = lo.type(1);
  Handler handler = nullptr;
  if (to == Type::kF16x2) handler = ToHalves<F>;
  if (from == Type::kF16x2) handler = FromHalves<F>;
  if (from == Type::kF32) handler = FromSingles<F>;
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  const Place a = lo.Read(1, IsEighth(from) ? Type::kB16 : from);
  const Place b = from == Type::kF32 ? lo.Read(2, from) : a;
  const Place d = lo.Write(0, IsEighth(to) ? Type::kB16 : to);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.extra = lo.Has(Modifier::kRelu) ? 1 : 0;
}

}  // namespace

bool LowerEighths(Lowering& lo) {
  const Type format = IsEighth(lo.type(0)) ? lo.type(0) : lo.type(1);
  if (!IsEighth(format)) return false;
  if (format == Type::kE4m3x2) {
    Lower<E4m3>(lo);
  } else {
    Lower<E5m2>(lo);
  }
  return true;
}

}  // namespace culprit::exec::CULPRIT_LANES
