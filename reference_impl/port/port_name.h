// SPDX-License-Identifier: Apache-2.0
//
// What this port calls itself; every library defines its own.
#ifndef CULPRIT_REFERENCE_IMPL_PORT_PORT_NAME_H_
#define CULPRIT_REFERENCE_IMPL_PORT_PORT_NAME_H_

namespace culprit::reference {

extern const char* const kPortName;

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PORT_PORT_NAME_H_
