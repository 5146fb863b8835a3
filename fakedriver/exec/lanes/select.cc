// SPDX-License-Identifier: Apache-2.0
//
// Selections by a predicate or a sign.
#include "fakedriver/exec/lanes/bit_types.h"
#include "fakedriver/exec/lanes/float_bits.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
const Instruction* Select(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const uint32_t p = *Lanes<uint32_t>(w, i->c) ^ static_cast<uint32_t>(i->immediate);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) { return (p >> l & 1) != 0 ? a[l] : b[l]; });
  return i + 1;
}

template <typename T>
struct SlctIntOp {
  using In = T;
  using Third = int32_t;
  using Out = T;
  static T Do(T a, T b, int32_t c) { return c >= 0 ? a : b; }
};

// NaN selects b; -0 counts as 0, and so do subnormals with .ftz.
template <typename T>
struct SlctFloatOp {
  using In = T;
  using Third = float;
  using Out = T;
  static T Do(T a, T b, float c) { return c >= 0.0f ? a : b; }
};

template <typename T>
struct SlctFlushedOp {
  using In = T;
  using Third = float;
  using Out = T;
  static T Do(T a, T b, float c) { return Flush(c) >= 0.0f ? a : b; }
};

#define CULPRIT_BY_BITS(handler, bits)         \
  ((bits) == 16   ? Handler{handler<uint16_t>} \
   : (bits) == 32 ? Handler{handler<uint32_t>} \
   : (bits) == 64 ? Handler{handler<uint64_t>} \
                  : Handler{nullptr})

}  // namespace

void LowerSelp(Lowering& lo) {
  Type type = lo.type();
  bool negated = false;
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = lo.ReadPredicate(lo.operand(3), &negated);
  Place d = lo.Write(0, type);
  Handler handler = CULPRIT_BY_BITS(Select, Bits(type));
  if (handler == nullptr) lo.FailArguments();
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = negated ? 0xffffffff : 0;
}

void LowerSlct(Lowering& lo) {
  Type type = lo.type(0);
  Handler handler = CULPRIT_FOR_BITS(Ternary, SlctIntOp, type);
  if (lo.type(1) == Type::kF32) {
    handler = lo.Has(Modifier::kFtz) ? CULPRIT_FOR_BITS(Ternary, SlctFlushedOp, type)
                                     : CULPRIT_FOR_BITS(Ternary, SlctFloatOp, type);
  }
  EmitTernary(lo, handler, type, type, lo.type(1));
}

}  // namespace culprit::exec::CULPRIT_LANES
