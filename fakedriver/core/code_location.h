// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_CODE_LOCATION_H_
#define FAKEDRIVER_CORE_CODE_LOCATION_H_

#include <string>

namespace culprit::fakedriver {

// "libfoo.so+0x1234 (name)": what addr2line wants, and the exported name before it. Empty when no
// library holds the address.
std::string CodeLocation(const void* address);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CODE_LOCATION_H_
