// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/lanes/lanes.h"
#include "fakedriver/exec/machine/lowering_functions.h"

namespace culprit::exec::CULPRIT_LANES {

const LoweringTable kLoweringTable = {{
#define PTX_OP(id, mnemonic, modifiers, types, operands, lowering) &Lower##lowering,
#define PTX_MACHINE_OP(id, mnemonic, modifiers, types, operands, lowering) \
  &machine::Lower##lowering,
#define PTX_UNSUPPORTED(...) nullptr,
#include "fakedriver/exec/opcodes.def"
#undef PTX_OP
#undef PTX_MACHINE_OP
#undef PTX_UNSUPPORTED
                                      },
                                      &Widen};

}  // namespace culprit::exec::CULPRIT_LANES
