// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/driver_entry.h"

#include <set>

namespace culprit::suites {

bool IsDriverEntry(std::string_view name) {
  static const auto* names = new std::set<std::string_view>{
#define FD_API(symbol, lookup, ...) #symbol, #lookup,
#define FD_STUB(symbol, lookup, ...) #symbol, #lookup,
#define FD_ALIAS(symbol, base, lookup, ...) #symbol, #lookup,
#include "fakedriver/abi/driver_api.def"
#undef FD_API
#undef FD_STUB
#undef FD_ALIAS
  };
  return names->contains(name);
}

}  // namespace culprit::suites
