// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_AUDIT_END_OF_LIFE_H_
#define FAKEDRIVER_AUDIT_END_OF_LIFE_H_

namespace culprit::fakedriver::audit {

// Raises findings for what the subject left behind: objects, retains of primary contexts, context
// stacks. Changes nothing. What the harness made is never the subject's, and neither is what an
// injected error hid from it. After a device error nothing can be given back, so nothing is missed.
void AuditEndOfLife();

}  // namespace culprit::fakedriver::audit

#endif  // FAKEDRIVER_AUDIT_END_OF_LIFE_H_
