// SPDX-License-Identifier: Apache-2.0
//
// The framework's Status in the words of the port ABI.
#ifndef CULPRIT_REFERENCE_IMPL_PORT_PORT_STATUS_H_
#define CULPRIT_REFERENCE_IMPL_PORT_PORT_STATUS_H_

#include "reference_impl/driver/status.h"
#include "suites/culprit_port.h"

namespace culprit::reference {

culprit_status StatusOf(const Status& status);

// Fills `out`, as far as its size goes, and returns the errno.
int Report(const culprit_status& status, culprit_status* out);
inline int Report(const Status& status, culprit_status* out) {
  return Report(StatusOf(status), out);
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PORT_PORT_STATUS_H_
