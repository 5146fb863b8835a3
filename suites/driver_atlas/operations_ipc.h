// SPDX-License-Identifier: Apache-2.0
// Where the processes of a scenario leave handles for each other.
#ifndef SUITES_DRIVER_ATLAS_OPERATIONS_IPC_H_
#define SUITES_DRIVER_ATLAS_OPERATIONS_IPC_H_

namespace culprit::atlas {

// Makes the table that all processes forked from now on share. Once for each scenario.
void PrepareIpcTable();

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_OPERATIONS_IPC_H_
