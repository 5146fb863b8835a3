// SPDX-License-Identifier: Apache-2.0
//
// Operands of video instructions: words, or bytes and halves selected from them.
#ifndef FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_
#define FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_

#include <cstdint>

#include "fakedriver/exec/decode/lowering.h"

namespace culprit::exec::machine {

struct VideoSelector {
  uint32_t width = 0;  // 8 or 16; 0 without a selector
  uint32_t count = 0;
  uint32_t digits = 0;  // three bits each, lowest part first
};
VideoSelector VideoSelectorOf(const Operand& operand);

// Part `number` of `words`, extended.
int64_t VideoPart(uint64_t words, uint32_t number, uint32_t width, bool is_signed);

// The whole word that an operand selects from.
Place ReadVideoWord(Lowering& l, Operand operand);

}  // namespace culprit::exec::machine

#endif  // FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_
