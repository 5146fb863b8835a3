// SPDX-License-Identifier: Apache-2.0
//
// vmad: the product of two parts and a third operand, shifted and saturated (PTX ISA, vmad), as an
// H200 computes it: in 64 bits and signed, unsigned words included; only parts of unsigned words
// are never negative.
#include <algorithm>
#include <cstdint>

#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/video_operands.h"

namespace culprit::exec::machine {
namespace {

struct Source {
  uint32_t number = 0;
  uint32_t width = 32;
  bool is_signed = true;
};

// An instruction in 64 bits, so that it fits the immediate.
struct Form {
  uint64_t number_a : 3;
  uint64_t number_b : 3;
  uint64_t width_a : 6;
  uint64_t width_b : 6;
  uint64_t signed_a : 1;
  uint64_t signed_b : 1;
  uint64_t negative_product : 1;
  uint64_t negative_c : 1;
  uint64_t plus_one : 1;
  uint64_t shift : 4;
  uint64_t sat : 1;
  uint64_t unsigned_result : 1;  // what saturation goes by: both factors are unsigned
  uint64_t unused : 35;
};
static_assert(sizeof(Form) == 8);

uint32_t One(const Form& form, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t x = VideoPart(a, form.number_a, form.width_a, form.signed_a != 0);
  const int64_t y = VideoPart(b, form.number_b, form.width_b, form.signed_b != 0);
  uint64_t sum = static_cast<uint64_t>(x * y);
  if (form.negative_product != 0) sum = 0 - sum;
  const uint64_t addend = static_cast<uint64_t>(static_cast<int32_t>(c));
  sum += form.negative_c != 0 ? 0 - addend : addend;
  sum += form.plus_one;
  const bool as_unsigned = form.sat != 0 && form.unsigned_result != 0;
  const int64_t value = as_unsigned ? static_cast<int64_t>(sum >> form.shift)
                                    : static_cast<int64_t>(sum) >> form.shift;
  if (form.sat == 0) return static_cast<uint32_t>(value);
  return static_cast<uint32_t>(as_unsigned ? std::clamp<int64_t>(value, 0, UINT32_MAX)
                                           : std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}

Source SourceOf(const Operand& operand, Type type) {
  const VideoSelector selector = VideoSelectorOf(operand);
  Source source;
  if (selector.width == 0) return source;
  source.number = selector.digits & 7;
  source.width = selector.width;
  source.is_signed = IsSigned(type);
  return source;
}

bool IsNegative(const Operand& operand) { return operand.kind == Operand::Kind::kNegative; }

}  // namespace

void LowerVideoMad(Lowering& l) {
  const Source a = SourceOf(l.operand(1), l.type(1));
  const Source b = SourceOf(l.operand(2), l.type(2));
  Form form{};
  form.number_a = a.number;
  form.number_b = b.number;
  form.width_a = a.width;
  form.width_b = b.width;
  form.signed_a = a.is_signed;
  form.signed_b = b.is_signed;
  form.negative_product = IsNegative(l.operand(1)) != IsNegative(l.operand(2));
  form.negative_c = IsNegative(l.operand(3));
  form.plus_one = l.Has(Modifier::kPo);
  form.shift = l.Has(Modifier::kShr7) ? 7 : l.Has(Modifier::kShr15) ? 15 : 0;
  form.sat = l.Has(Modifier::kSat);
  form.unsigned_result = !IsSigned(l.type(1)) && !IsSigned(l.type(2));
  const Place first = ReadVideoWord(l, l.operand(1));
  const Place second = ReadVideoWord(l, l.operand(2));
  const Place third = ReadVideoWord(l, l.operand(3));
  const Place d = l.Write(0, Type::kB32);
  Instruction& i = l.Emit(RunVideo<Form, One>);
  i.d = d;
  i.a = first;
  i.b = second;
  i.c = third;
  i.immediate = __builtin_bit_cast(int64_t, form);
}

}  // namespace culprit::exec::machine
