// SPDX-License-Identifier: Apache-2.0
//
// The behaviour of every modelled entry: a function with the driver's name and parameters, one file
// a family. A handler returns the result, writes out-parameters only on success and throws nothing.
// It runs after the gate and knows nothing of faults and traces.
#ifndef FAKEDRIVER_HANDLERS_HANDLERS_H_
#define FAKEDRIVER_HANDLERS_HANDLERS_H_

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver::handlers {

#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  CUresult symbol parameters;
#include "fakedriver/abi/driver_api.def"

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_HANDLERS_H_
