// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/video_operands.h"

namespace culprit::exec::machine {

// The reader leaves ".b1" or ".h10" in the operand's value: the letter and then the digits, lowest
// part first.
VideoSelector VideoSelectorOf(const Operand& operand) {
  VideoSelector selector;
  if (operand.kind != Operand::Kind::kRegister && operand.kind != Operand::Kind::kNegative)
    return selector;
  const uint64_t value = static_cast<uint64_t>(operand.value);
  if (value == 0) return selector;
  selector.width = (value & 0xff) == 'b' ? 8 : 16;
  selector.count = value >> 8 & 0xff;
  selector.digits = static_cast<uint32_t>(value >> 16);
  return selector;
}

int64_t VideoPart(uint64_t words, uint32_t number, uint32_t width, bool is_signed) {
  const uint64_t part = words >> (number * width) & ((uint64_t{1} << width) - 1);
  if (is_signed && (part >> (width - 1) & 1) != 0)
    return static_cast<int64_t>(part) - (int64_t{1} << width);
  return static_cast<int64_t>(part);
}

Place ReadVideoWord(Lowering& l, Operand operand) {
  if (operand.kind == Operand::Kind::kNegative) operand.kind = Operand::Kind::kRegister;
  if (operand.kind == Operand::Kind::kRegister) operand.value = 0;
  return l.Read(operand, Type::kB32);
}

}  // namespace culprit::exec::machine
