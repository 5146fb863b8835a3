// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_EXEC_MACHINE_WARP_SYNC_H_
#define FAKEDRIVER_EXEC_MACHINE_WARP_SYNC_H_

#include <cstdint>

#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec {

// Gathers the lanes that a warp-level instruction names. When all of them have come, the warp's
// mask is their union until Done(), which also lets those that came earlier go on after the
// instruction. Otherwise the caller waits.
class WarpGroup {
 public:
  // `anywhere`: lanes that wait at another instruction with the same handler count too
  // (bar.warp.sync).
  WarpGroup(Warp& w, const Instruction* i, uint32_t members, bool anywhere = false);

  bool complete() const { return complete_; }
  const Instruction* Wait();
  const Instruction* Done();

 private:
  Warp& w_;
  const Instruction* i_;
  uint32_t own_;
  bool complete_ = true;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_WARP_SYNC_H_
