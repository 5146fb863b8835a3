// SPDX-License-Identifier: Apache-2.0
//
// Somebody who wants to be asked before each call of the subject, and may hold the calling thread:
// a scheduler. Nothing of the call has happened by then; it has no number yet.
#ifndef FAKEDRIVER_CORE_BEFORE_CALL_H_
#define FAKEDRIVER_CORE_BEFORE_CALL_H_

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

using BeforeCallHook = void (*)(const char* entry);

// Null: nobody. The hook runs on the calling thread and may call the driver for the harness.
void SetBeforeCall(BeforeCallHook hook) noexcept;

// Asks, unless the harness is calling.
void AskBeforeCall(ApiId api) noexcept;

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_BEFORE_CALL_H_
