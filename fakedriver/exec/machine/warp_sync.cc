// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/warp_sync.h"

#include "fakedriver/exec/machine/scheduling.h"

namespace culprit::exec {

WarpGroup::WarpGroup(Warp& w, const Instruction* i, uint32_t members, bool anywhere)
    : w_(w), i_(i), own_(w.mask) {
  const uint32_t needed = members & w.live;
  if ((w.mask & needed) == needed) return;
  if (w.alone) {
    w.alone = false;
    return;
  }
  auto counts = [&](const Split& split) {
    if (split.state != Split::State::kAtWarpSync) return false;
    return (split.pc == i && split.frame == w.frame) ||
           (anywhere && split.pc->handler == i->handler);
  };
  uint32_t all = w.mask;
  for (const Split& split : w.waiting) {
    if (counts(split)) all |= split.mask;
  }
  complete_ = (all & needed) == needed;
  if (!complete_) return;
  for (Split& split : w.waiting) {
    if (!counts(split)) continue;
    split.state = Split::State::kReady;
    ++split.pc;
  }
  SetMask(w, all);
}

const Instruction* WarpGroup::Wait() { return Park(w_, i_, Split::State::kAtWarpSync); }

const Instruction* WarpGroup::Done() {
  SetMask(w_, own_);
  return i_ + 1;
}

}  // namespace culprit::exec
