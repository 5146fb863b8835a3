// SPDX-License-Identifier: Apache-2.0
//
// What the text of a function says about the order of blocks, with each other and with work that
// runs beside them. All answers err towards yes.
#ifndef FAKEDRIVER_EXEC_DECODE_BLOCK_ORDER_H_
#define FAKEDRIVER_EXEC_DECODE_BLOCK_ORDER_H_

#include "fakedriver/exec/reader/module_text.h"

namespace culprit::exec {

// The order in which blocks run can show: atomics whose old value is read, or that do not commute
// exactly.
bool IsOrderSensitive(const ModuleText& module, const FunctionText& function);

// Blocks may have an order of their own making: fences and accesses with an order that reach beyond
// the block, atomics whose old value is read, functions of the machine.
bool OrdersBlocks(const ModuleText& module, const FunctionText& function);

// It may wait for what somebody else writes meanwhile: loads with an order, and atomics whose old
// value is read in a loop, or in a function that may be called in one.
bool MayWait(const ModuleText& module, const FunctionText& function);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_BLOCK_ORDER_H_
