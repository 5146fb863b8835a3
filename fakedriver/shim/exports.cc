// SPDX-License-Identifier: Apache-2.0
//
// Every symbol that the library exports besides culprit_control: all the glue there is.
#include "fakedriver/shim/exports.h"

#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/not_modelled.h"
#include "fakedriver/shim/call.h"

#define FD_EXPORT __attribute__((visibility("default")))

namespace culprit::fakedriver::handlers {
namespace {

// Takes whatever a stub is called with.
struct Stub {
  ApiId id;
  template <typename... Args>
  CUresult operator()(const Args&...) const noexcept {
    return NotModelled(id);
  }
};

#define FD_STUB(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  CUresult symbol parameters { return Stub{ApiId::symbol} arguments; }
#include "fakedriver/abi/driver_api.def"

}  // namespace
}  // namespace culprit::fakedriver::handlers

using culprit::fakedriver::ApiId;
using culprit::fakedriver::shim::Call;
namespace handlers = culprit::fakedriver::handlers;

#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  extern "C" FD_EXPORT CUresult CUDAAPI symbol parameters {                         \
    return Call<ApiId::symbol, &handlers::symbol> arguments;                        \
  }
#define FD_STUB FD_API
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) \
  extern "C" FD_EXPORT CUresult CUDAAPI symbol parameters {                   \
    return Call<ApiId::symbol, &handlers::base> arguments;                    \
  }
// A debugger reads and writes these; nobody else does.
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
