// SPDX-License-Identifier: Apache-2.0
// `culprit inventory`, for the culprit tool and for the stand-alone culprit-inventory.
#ifndef CULPRIT_INVENTORY_COMMAND_H_
#define CULPRIT_INVENTORY_COMMAND_H_

namespace culprit::inventory {

// argv[0] is "inventory". Returns the exit code:
//   0  nothing new at or above the severity that fails (errors, unless --fail-on says otherwise)
//   1  new findings
//   2  the command line, the contract or another input is wrong; standard error says what
int RunInventory(int argc, char** argv);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_COMMAND_H_
