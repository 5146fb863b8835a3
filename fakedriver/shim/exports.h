// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_SHIM_EXPORTS_H_
#define FAKEDRIVER_SHIM_EXPORTS_H_

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::shim {

// The exported function of a row.
void* AddressOf(ApiId id);

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_EXPORTS_H_
