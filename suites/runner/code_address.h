// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_CODE_ADDRESS_H_
#define SUITES_RUNNER_CODE_ADDRESS_H_

#include <string>

namespace culprit::suites {

// "path+0x1234": an address of this process's code, for somebody who looks at the file later.
// "?" where no module holds it.
std::string CodeAt(const void* address);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CODE_ADDRESS_H_
