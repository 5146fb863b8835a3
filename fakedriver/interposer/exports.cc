// SPDX-License-Identifier: Apache-2.0
//
// A libcuda.so.1 in front of the vendor's: the same table and the same path for every call as in
// the fake, with the vendor's driver in the place of the machine.
#include "fakedriver/shim/exports.h"

#include "fakedriver/interposer/forward.h"
#include "fakedriver/shim/call.h"

#define FD_EXPORT __attribute__((visibility("default")))

namespace culprit::fakedriver::interposer {
namespace {

#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  CUresult symbol parameters { return Forward<ApiId::symbol>() arguments; }
#define FD_STUB FD_API
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) \
  CUresult symbol parameters { return Forward<ApiId::symbol>() arguments; }
#include "fakedriver/abi/driver_api.def"

}  // namespace
}  // namespace culprit::fakedriver::interposer

using culprit::fakedriver::ApiId;
using culprit::fakedriver::shim::Call;
namespace interposer = culprit::fakedriver::interposer;

#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  extern "C" FD_EXPORT CUresult CUDAAPI symbol parameters {                         \
    return Call<ApiId::symbol, &interposer::symbol> arguments;                      \
  }
#define FD_STUB FD_API
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) \
  extern "C" FD_EXPORT CUresult CUDAAPI symbol parameters {                   \
    return Call<ApiId::symbol, &interposer::symbol> arguments;                \
  }
// A debugger of the vendor's looks at the vendor's.
#define FD_DATA(symbol, bytes)             \
  extern "C" FD_EXPORT char symbol[bytes]; \
  alignas(8) char symbol[bytes] = {};
#include "fakedriver/abi/driver_api.def"

namespace culprit::fakedriver::shim {

void* AddressOf(ApiId id) {
  static void* const addresses[] = {
#define FD_API(symbol, ...) reinterpret_cast<void*>(&::symbol),
#define FD_STUB FD_API
#define FD_ALIAS FD_API
#include "fakedriver/abi/driver_api.def"
  };
  return addresses[static_cast<size_t>(id)];
}

}  // namespace culprit::fakedriver::shim
