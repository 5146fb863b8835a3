// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_QUIET_THREAD_H_
#define FAKEDRIVER_CORE_QUIET_THREAD_H_

#include <functional>

namespace culprit::fakedriver {

// Starts a detached thread of the driver's own: no signal of the program is delivered to it. False
// when the system refuses another thread.
bool StartQuietThread(std::function<void()> body);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_QUIET_THREAD_H_
