// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_DESCRIBE_H_
#define FAKEDRIVER_CORE_DESCRIBE_H_

#include <string>

#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

// As findings name an object: "event #7, created by call 41 (cuEventCreate), context #1", and when
// it is dead also "destroyed by call 50 (cuEventDestroy_v2)".
std::string Describe(const ObjectRecord& record);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DESCRIBE_H_
