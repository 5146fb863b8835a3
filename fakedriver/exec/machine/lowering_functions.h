// SPDX-License-Identifier: Apache-2.0
//
// Declarations of the lowering functions that opcodes.def names for the machine (those for lanes
// are in lanes/lanes.h).
#ifndef FAKEDRIVER_EXEC_MACHINE_LOWERING_FUNCTIONS_H_
#define FAKEDRIVER_EXEC_MACHINE_LOWERING_FUNCTIONS_H_

namespace culprit::exec {
class Lowering;
}

namespace culprit::exec::machine {

#define PTX_OP(...)
#define PTX_MACHINE_OP(id, mnemonic, modifiers, types, operands, lowering) \
  void Lower##lowering(Lowering& lowering_);
#define PTX_UNSUPPORTED(...)
#include "fakedriver/exec/opcodes.def"
#undef PTX_OP
#undef PTX_MACHINE_OP
#undef PTX_UNSUPPORTED

}  // namespace culprit::exec::machine

#endif  // FAKEDRIVER_EXEC_MACHINE_LOWERING_FUNCTIONS_H_
