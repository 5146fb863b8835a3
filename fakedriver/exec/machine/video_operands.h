// SPDX-License-Identifier: Apache-2.0
//
// Operands of video instructions: words, or bytes and halves selected from them.
#ifndef FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_
#define FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_

#include <cstdint>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/places.h"

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

// Runs an instruction whose form fits the immediate: a word from three in each active lane.
template <typename Form, uint32_t (*kOne)(const Form&, uint32_t, uint32_t, uint32_t)>
const Instruction* RunVideo(Warp& w, const Instruction* i) {
  const Form form = __builtin_bit_cast(Form, i->immediate);
  const uint32_t* a = LanesAt<uint32_t>(w, i->a);
  const uint32_t* b = LanesAt<uint32_t>(w, i->b);
  const uint32_t* c = LanesAt<uint32_t>(w, i->c);
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = kOne(form, a[lane], b[lane], c[lane]); });
  return i + 1;
}

}  // namespace culprit::exec::machine

#endif  // FAKEDRIVER_EXEC_MACHINE_VIDEO_OPERANDS_H_
