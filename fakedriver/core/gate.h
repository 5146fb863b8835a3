// SPDX-License-Identifier: Apache-2.0
//
// Refuses what no handler needs to see.
#ifndef FAKEDRIVER_CORE_GATE_H_
#define FAKEDRIVER_CORE_GATE_H_

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

// CUDA_SUCCESS if the call may go on to its handler, else what it answers.
inline CUresult Gate(ApiId /*id*/) noexcept { return CUDA_SUCCESS; }

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_GATE_H_
