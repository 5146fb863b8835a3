// SPDX-License-Identifier: Apache-2.0
//
// Compile-only: declares every row of the table next to cuda.h's own declaration. A signature that
// drifts is a compiler error at the row. Rows of entries that the header does not declare (graphics
// interoperability, the debugger's) pass unchecked.
#include "fakedriver/abi/cuda_api.h"

#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  extern "C" CUresult CUDAAPI symbol parameters;
#define FD_STUB FD_API
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) \
  extern "C" CUresult CUDAAPI symbol parameters;
#include "fakedriver/abi/driver_api.def"
