// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_HANDLERS_CONTEXT_FLAGS_H_
#define FAKEDRIVER_HANDLERS_CONTEXT_FLAGS_H_

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver::handlers {

// Known bits, and at most one way to wait.
inline bool AreContextFlags(unsigned flags) {
  const unsigned sched = flags & CU_CTX_SCHED_MASK;
  return (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0 && (sched & (sched - 1)) == 0;
}

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_CONTEXT_FLAGS_H_
