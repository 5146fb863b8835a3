// SPDX-License-Identifier: Apache-2.0
//
// Chains of additions and multiplications through the condition code, which is one bit a lane of
// the warp. A subtraction adds the complement: it leaves 1 where it did not borrow, and any
// instruction may read what any other left.
#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

enum Flags : uint32_t { kCarryIn = 1, kCarryOut = 2, kHigh = 4 };

template <typename T>
struct Double;
template <>
struct Double<uint32_t> {
  using Type = uint64_t;
};
template <>
struct Double<uint64_t> {
  using Type = unsigned __int128;
};

// Adds a, b and carry; `extra` has Flags.
template <typename T, bool kSubtract>
const Instruction* AddCarry(Warp& w, const Instruction* i) {
  using D = typename Double<T>::Type;
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  T* d = Lanes<T>(w, i->d);
  uint32_t carry = w.carry;
  uint32_t out = carry;
  for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
    uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
    D in = (i->extra & kCarryIn) != 0 ? carry >> l & 1 : kSubtract ? 1 : 0;
    D sum = D{a[l]} + (kSubtract ? static_cast<T>(~b[l]) : b[l]) + in;
    d[l] = static_cast<T>(sum);
    uint32_t bit = static_cast<uint32_t>(sum >> (8 * sizeof(T))) & 1;
    out = (out & ~(1u << l)) | bit << l;
  }
  if ((i->extra & kCarryOut) != 0) w.carry = out;
  return i + 1;
}

template <typename T, bool kSigned>
const Instruction* MadCarry(Warp& w, const Instruction* i) {
  using D = typename Double<T>::Type;
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const T* c = Lanes<T>(w, i->c);
  T* d = Lanes<T>(w, i->d);
  uint32_t carry = w.carry;
  uint32_t out = carry;
  constexpr uint32_t kBits = 8 * sizeof(T);
  for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
    uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
    D product = D{a[l]} * b[l];
    if (kSigned) {
      if (a[l] >> (kBits - 1)) product -= D{b[l]} << kBits;
      if (b[l] >> (kBits - 1)) product -= D{a[l]} << kBits;
    }
    T part = static_cast<T>((i->extra & kHigh) != 0 ? product >> kBits : product);
    D in = (i->extra & kCarryIn) != 0 ? carry >> l & 1 : 0;
    D sum = D{part} + c[l] + in;
    d[l] = static_cast<T>(sum);
    out = (out & ~(1u << l)) | (static_cast<uint32_t>(sum >> kBits) & 1) << l;
  }
  if ((i->extra & kCarryOut) != 0) w.carry = out;
  return i + 1;
}

uint32_t FlagsOf(const Lowering& lo, bool in) {
  return (in ? kCarryIn : 0u) | (lo.Has(Modifier::kCc) ? kCarryOut : 0u) |
         (lo.Has(Modifier::kHi) ? kHigh : 0u);
}

template <bool kSubtract>
void Lower(Lowering& lo, bool in) {
  Type type = lo.type();
  if (Bits(type) != 32 && Bits(type) != 64) lo.FailArguments();
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place d = lo.Write(0, type);
  Instruction& i =
      lo.Emit(Bits(type) == 64 ? AddCarry<uint64_t, kSubtract> : AddCarry<uint32_t, kSubtract>);
  i.d = d;
  i.a = a;
  i.b = b;
  i.extra = FlagsOf(lo, in);
}

void LowerMadWith(Lowering& lo, bool in) {
  Type type = lo.type();
  if (Bits(type) != 32 && Bits(type) != 64) lo.FailArguments();
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = lo.Read(3, type);
  Place d = lo.Write(0, type);
  Handler handler =
      IsSigned(type) ? (Bits(type) == 64 ? MadCarry<uint64_t, true> : MadCarry<uint32_t, true>)
                     : (Bits(type) == 64 ? MadCarry<uint64_t, false> : MadCarry<uint32_t, false>);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.extra = FlagsOf(lo, in);
}

}  // namespace

void LowerAddCarry(Lowering& lo) { Lower<false>(lo, false); }
void LowerSubCarry(Lowering& lo) { Lower<true>(lo, false); }
void LowerMadCarry(Lowering& lo) { LowerMadWith(lo, false); }
void LowerAddc(Lowering& lo) { Lower<false>(lo, true); }
void LowerSubc(Lowering& lo) { Lower<true>(lo, true); }
void LowerMadc(Lowering& lo) { LowerMadWith(lo, true); }

}  // namespace culprit::exec::CULPRIT_LANES
