// SPDX-License-Identifier: Apache-2.0
//
// Fields of bits: extracted, inserted, masked and extended.
#include "fakedriver/exec/lanes/bit_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

struct CopyOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a) { return a; }
};

template <typename T>
T LowMask(uint32_t n) {
  return n >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << n) - 1);
}

// Positions and lengths count modulo 256 in fields of 32 bits, and as they are in those of 64.
template <typename T>
CULPRIT_INLINE uint32_t FieldCount(uint32_t count) {
  return sizeof(T) == 4 ? count & 0xff : count < 0xff ? count : 0xff;
}

template <typename T, bool kSigned>
const Instruction* Bfe(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) {
    uint32_t position = FieldCount<T>(b[l]);
    uint32_t length = FieldCount<T>(c[l]);
    uint32_t last = position + length - 1;
    if (last > kBits<T> - 1) last = kBits<T> - 1;
    T sign = kSigned && length != 0 ? static_cast<T>(T{0} - (a[l] >> last & 1)) : T{0};
    T field = position >= kBits<T> ? T{0} : static_cast<T>(a[l] >> (position & (kBits<T> - 1)));
    uint32_t there = position >= kBits<T> ? 0 : kBits<T> - position;
    T mask = LowMask<T>(length < there ? length : there);
    return static_cast<T>((field & mask) | (sign & ~mask));
  });
  return i + 1;
}

// a into b at position c, length in the place that the immediate holds.
template <typename T>
const Instruction* Bfi(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  const uint32_t* n = Lanes<uint32_t>(w, static_cast<Place>(i->immediate));
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) {
    uint32_t position = FieldCount<T>(c[l]);
    uint32_t length = FieldCount<T>(n[l]);
    uint32_t shift = position & (kBits<T> - 1);
    T mask = position >= kBits<T> ? T{0} : static_cast<T>(LowMask<T>(length) << shift);
    return static_cast<T>((b[l] & ~mask) | ((a[l] << shift) & mask));
  });
  return i + 1;
}

template <bool kWrap>
struct BmskOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint32_t start = kWrap ? a & 31 : a;
    uint32_t width = kWrap ? b & 31 : b;
    if (start >= 32) return 0;
    return LowMask<uint32_t>(width) << start;
  }
};

template <bool kSigned, bool kWrap>
struct SzextOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint32_t n = kWrap ? b & 31 : b;
    if (n >= 32) return a;
    if (n == 0) return 0;
    uint32_t low = a & LowMask<uint32_t>(n);
    bool negative = kSigned && (a >> (n - 1) & 1) != 0;
    return negative ? low | ~LowMask<uint32_t>(n) : low;
  }
};

// With literals for position and length the vendor's compiler computes what the instruction would
// not: a field that is not empty and begins above a word is all ones.
bool FoldsToOnes(const Lowering& lo) {
  const Operand& position = lo.operand(2);
  const Operand& length = lo.operand(3);
  return position.kind == Operand::Kind::kInteger && length.kind == Operand::Kind::kInteger &&
         position.value == 32 && length.value != 0;
}

}  // namespace

void LowerBfe(Lowering& lo) {
  Type type = lo.type();
  bool is_signed = IsSigned(type);
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, Type::kU32);
  Place c = lo.Read(3, Type::kU32);
  Place d = lo.Write(0, type);
  if (type == Type::kS32 && FoldsToOnes(lo)) {
    Place ones = lo.Literal(UINT32_MAX, Type::kU32);
    Instruction& i = lo.Emit(Unary<CopyOp>);
    i.d = d;
    i.a = ones;
    return;
  }
  Instruction& i =
      lo.Emit(Bits(type) == 64 ? (is_signed ? Bfe<uint64_t, true> : Bfe<uint64_t, false>)
                               : (is_signed ? Bfe<uint32_t, true> : Bfe<uint32_t, false>));
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
}

void LowerBfi(Lowering& lo) {
  Type type = lo.type();
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = lo.Read(3, Type::kU32);
  Place length = lo.Read(4, Type::kU32);
  Place d = lo.Write(0, type);
  Instruction& i = lo.Emit(Bits(type) == 64 ? Bfi<uint64_t> : Bfi<uint32_t>);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = length;
}

void LowerBmsk(Lowering& lo) {
  EmitBinary(lo, lo.Has(Modifier::kWrap) ? Binary<BmskOp<true>> : Binary<BmskOp<false>>, Type::kB32,
             Type::kB32);
}

void LowerSzext(Lowering& lo) {
  bool wrap = lo.Has(Modifier::kWrap);
  Handler with_sign = wrap ? Binary<SzextOp<true, true>> : Binary<SzextOp<true, false>>;
  Handler with_zeros = wrap ? Binary<SzextOp<false, true>> : Binary<SzextOp<false, false>>;
  EmitBinary(lo, IsSigned(lo.type()) ? with_sign : with_zeros, lo.type(), lo.type());
}

}  // namespace culprit::exec::CULPRIT_LANES
