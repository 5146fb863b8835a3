// SPDX-License-Identifier: Apache-2.0
//
// Video instructions: arithmetic on selected bytes and halves of words, one at a time (vadd) or two
// and four at once (vadd2, vadd4), with saturation and a second operation (PTX ISA, "Video
// Instructions").
#include <algorithm>
#include <cstdint>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/video_operands.h"

namespace culprit::exec::machine {
namespace {

enum class Op : uint8_t { kAdd, kSub, kAbsdiff, kMin, kMax, kAverage, kShl, kShr, kSet };
enum class Second : uint8_t { kNone, kMerge, kAdd, kMin, kMax };
enum class Cmp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

// An instruction in 64 bits, so that it fits the immediate.
struct Form {
  uint64_t op : 4;
  uint64_t second : 3;
  uint64_t cmp : 3;
  uint64_t parts : 3;  // 1, 2 or 4
  uint64_t signed_d : 1;
  uint64_t signed_a : 1;
  uint64_t signed_b : 1;
  uint64_t sat : 1;
  uint64_t wrap : 1;
  uint64_t mask : 4;     // parts of d that are written
  uint64_t width_a : 6;  // bits of a part of each operand
  uint64_t width_b : 6;
  uint64_t width_d : 6;
  uint64_t select_a : 12;  // three bits a part: its number among the parts of a and then b
  uint64_t select_b : 12;
};
static_assert(sizeof(Form) == 8);

int64_t Compute(const Form& form, int64_t a, int64_t b) {
  switch (static_cast<Op>(form.op)) {
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kAbsdiff:
      return a < b ? b - a : a - b;
    case Op::kMin:
      return std::min(a, b);
    case Op::kMax:
      return std::max(a, b);
    case Op::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Op::kShl:
    case Op::kShr: {
      uint32_t n = form.wrap != 0 ? static_cast<uint32_t>(b) & 31
                                  : static_cast<uint32_t>(std::min<int64_t>(b, 32));
      return static_cast<Op>(form.op) == Op::kShl
                 ? static_cast<int64_t>(static_cast<uint64_t>(a) << n)
                 : a >> n;
    }
    case Op::kSet:
      switch (static_cast<Cmp>(form.cmp)) {
        case Cmp::kEq:
          return a == b;
        case Cmp::kNe:
          return a != b;
        case Cmp::kLt:
          return a < b;
        case Cmp::kLe:
          return a <= b;
        case Cmp::kGt:
          return a > b;
        case Cmp::kGe:
          return a >= b;
      }
  }
  return 0;
}

bool IsShift(const Form& form) {
  return static_cast<Op>(form.op) == Op::kShl || static_cast<Op>(form.op) == Op::kShr;
}

// The only part of a result: as an H200 saturates it, which is not always to the nearest value that
// fits. A shift has 34 bits; an unsigned word is limited below only; a signed byte or half takes
// everything that is not a small positive number for a large one.
int64_t SaturatedAlone(const Form& form, int64_t value) {
  constexpr int64_t kWord = int64_t{1} << 32;
  if (IsShift(form)) value = value << 30 >> 30;
  if (form.signed_d != 0) {
    value = std::clamp(value, -kWord / 2, kWord / 2 - 1);
    if (form.width_d == 32) return value;
    return std::min(value & (kWord - 1), (int64_t{1} << (form.width_d - 1)) - 1);
  }
  value = std::max<int64_t>(value, 0);
  if (form.width_d < 32) return std::min(value, (int64_t{1} << form.width_d) - 1);
  return IsShift(form) ? std::min(value, kWord - 1) : value;
}

int64_t Saturated(const Form& form, int64_t value) {
  if (form.sat == 0) return value;
  if (form.parts == 1) return SaturatedAlone(form, value);
  const int64_t span = int64_t{1} << form.width_d;
  return form.signed_d != 0 ? std::clamp(value, -span / 2, span / 2 - 1)
                            : std::clamp<int64_t>(value, 0, span - 1);
}

// What the second operation sees of a result, in 64 bits: sums were cut to a word and extended with
// its sign, differences without, the others are whole.
uint64_t Widened(const Form& form, int64_t value) {
  switch (static_cast<Op>(form.op)) {
    case Op::kAdd:
    case Op::kSub:
      return static_cast<uint64_t>(static_cast<int32_t>(value));
    case Op::kAbsdiff:
      return static_cast<uint32_t>(value);
    default:
      return static_cast<uint64_t>(value);
  }
}

// The lesser or greater of a result and c, by the destination's signedness.
uint32_t Ordered(const Form& form, bool greater, int64_t value, uint32_t c) {
  const uint64_t wide = Widened(form, value);
  const bool less =
      form.signed_d != 0 ? static_cast<int64_t>(wide) < int64_t{static_cast<int32_t>(c)} : wide < c;
  return less == greater ? c : static_cast<uint32_t>(wide);
}

uint32_t One(const Form& form, uint32_t a, uint32_t b, uint32_t c) {
  // A single part selects from its own operand; several select from both together.
  const uint64_t both = uint64_t{b} << 32 | a;
  const uint64_t from_a = form.parts == 1 ? a : both;
  const uint64_t from_b = form.parts == 1 ? b : both;
  const Second second = static_cast<Second>(form.second);
  uint32_t d = second == Second::kNone ? 0 : c;
  for (uint32_t n = 0; n < form.parts; ++n) {
    if ((form.mask >> n & 1) == 0) continue;
    int64_t x = VideoPart(from_a, form.select_a >> (3 * n) & 7, form.width_a, form.signed_a != 0);
    int64_t y = VideoPart(from_b, form.select_b >> (3 * n) & 7, form.width_b, form.signed_b != 0);
    int64_t value = Saturated(form, Compute(form, x, y));
    switch (second) {
      case Second::kAdd:
        d += static_cast<uint32_t>(value);
        break;
      case Second::kMin:
      case Second::kMax:
        d = Ordered(form, second == Second::kMax, value, c);
        break;
      default: {
        // Which part of d: the only one that is written, or part n.
        uint32_t at = form.parts == 1 ? 0 : n;
        uint32_t ones = static_cast<uint32_t>((uint64_t{1} << form.width_d) - 1);
        uint32_t shift = form.parts == 1
                             ? static_cast<uint32_t>(form.select_b >> 9 & 7) * form.width_d
                             : at * form.width_d;
        d = (d & ~(ones << shift)) | (static_cast<uint32_t>(value) & ones) << shift;
      }
    }
  }
  return d;
}

Op OpOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kVadd:
    case Opcode::kVadd2:
    case Opcode::kVadd4:
      return Op::kAdd;
    case Opcode::kVsub:
    case Opcode::kVsub2:
    case Opcode::kVsub4:
      return Op::kSub;
    case Opcode::kVabsdiff:
    case Opcode::kVabsdiff2:
    case Opcode::kVabsdiff4:
      return Op::kAbsdiff;
    case Opcode::kVmin:
    case Opcode::kVmin2:
    case Opcode::kVmin4:
      return Op::kMin;
    case Opcode::kVmax:
    case Opcode::kVmax2:
    case Opcode::kVmax4:
      return Op::kMax;
    case Opcode::kVavrg2:
    case Opcode::kVavrg4:
      return Op::kAverage;
    case Opcode::kVshl:
      return Op::kShl;
    case Opcode::kVshr:
      return Op::kShr;
    default:
      return Op::kSet;
  }
}

Cmp CmpOf(const Lowering& l) {
  if (l.Has(Modifier::kEq)) return Cmp::kEq;
  if (l.Has(Modifier::kNe)) return Cmp::kNe;
  if (l.Has(Modifier::kLt)) return Cmp::kLt;
  if (l.Has(Modifier::kLe)) return Cmp::kLe;
  return l.Has(Modifier::kGt) ? Cmp::kGt : Cmp::kGe;
}

void LowerParts(Lowering& l, uint32_t parts) {
  Form form{};
  form.op = static_cast<uint64_t>(OpOf(l.text().opcode));
  form.parts = parts;
  form.mask = (1u << parts) - 1;
  bool set = static_cast<Op>(form.op) == Op::kSet;
  form.signed_d = IsSigned(l.type(0));
  form.signed_a = IsSigned(l.type(set ? 0 : 1));
  form.signed_b = IsSigned(l.type(set ? 1 : 2));
  form.sat = l.Has(Modifier::kSat);
  form.wrap = l.Has(Modifier::kWrap);
  form.cmp = static_cast<uint64_t>(CmpOf(l));
  const VideoSelector d = VideoSelectorOf(l.operand(0));
  const VideoSelector a = VideoSelectorOf(l.operand(1));
  const VideoSelector b = VideoSelectorOf(l.operand(2));
  const uint32_t whole = 32 / parts;
  if (parts == 1) {
    form.width_d = d.width != 0 ? d.width : 32;
    form.width_a = a.width != 0 ? a.width : 32;
    form.width_b = b.width != 0 ? b.width : 32;
    form.select_a = a.digits & 7;
    // The fourth selector of b is not needed by a single part; it says where the result goes.
    form.select_b = (b.digits & 7) | (d.digits & 7) << 9;
  } else {
    form.width_d = form.width_a = form.width_b = whole;
    uint32_t own_a = 0;
    uint32_t own_b = 0;
    for (uint32_t n = 0; n < parts; ++n) {
      own_a |= n << (3 * n);
      own_b |= (n + parts) << (3 * n);
    }
    form.select_a = a.width != 0 ? a.digits : own_a;
    form.select_b = b.width != 0 ? b.digits : own_b;
    if (d.width != 0) {
      form.mask = 0;
      for (uint32_t n = 0; n < d.count; ++n) form.mask |= 1u << (d.digits >> (3 * n) & 7);
    }
  }
  Second second = Second::kNone;
  if (l.operand_count() > 3) {
    second = l.Has(Modifier::kAdd)   ? Second::kAdd
             : l.Has(Modifier::kMin) ? Second::kMin
             : l.Has(Modifier::kMax) ? Second::kMax
                                     : Second::kMerge;
  }
  form.second = static_cast<uint64_t>(second);
  Instruction i;
  i.a = ReadVideoWord(l, l.operand(1));
  i.b = ReadVideoWord(l, l.operand(2));
  i.c = second == Second::kNone ? l.Literal(0, Type::kB32) : ReadVideoWord(l, l.operand(3));
  Operand destination = l.operand(0);
  destination.value = 0;
  i.d = l.Write(destination, Type::kB32);
  i.immediate = __builtin_bit_cast(int64_t, form);
  Instruction& emitted = l.Emit(RunVideo<Form, One>);
  i.handler = emitted.handler;
  i.text = emitted.text;
  emitted = i;
}

}  // namespace

void LowerVideo(Lowering& l) { LowerParts(l, 1); }
void LowerVideo2(Lowering& l) { LowerParts(l, 2); }
void LowerVideo4(Lowering& l) { LowerParts(l, 4); }

}  // namespace culprit::exec::machine
