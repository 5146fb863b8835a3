// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_FAULT_CALL_STACK_H_
#define FAKEDRIVER_FAULT_CALL_STACK_H_

#include <string_view>

namespace culprit::fakedriver::fault {

// Whether a function of that name is on the call stack of this thread. Names are those of the
// dynamic symbol tables, mangled as there or, for C++, as the demangler writes them, with or
// without the parameter list. Functions without a dynamic symbol (static ones, or those of a
// program linked without -rdynamic) are not seen.
bool CalledBelow(std::string_view function);

}  // namespace culprit::fakedriver::fault

#endif  // FAKEDRIVER_FAULT_CALL_STACK_H_
