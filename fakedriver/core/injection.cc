// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/injection.h"

namespace culprit::fakedriver {

void EffectHidden(const CallInProgress& /*call*/) {}
void LoseContexts(CUresult /*error*/) {}

}  // namespace culprit::fakedriver
