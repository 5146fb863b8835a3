// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_SHIM_OFFERED_H_
#define FAKEDRIVER_SHIM_OFFERED_H_

#include <string_view>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::shim {

// What cuGetProcAddress offers under a name.
struct Offer {
  bool known = false;            // the name is one that can be asked for
  const ApiInfo* row = nullptr;  // the newest variant not above the version; null: all are newer
};

// `per_thread` prefers the per-thread default stream variant where there is one.
Offer Offered(std::string_view name, int version, bool per_thread);

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_OFFERED_H_
