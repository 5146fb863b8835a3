// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_FORK_SAFE_H_
#define FAKEDRIVER_CORE_FORK_SAFE_H_

#include <pthread.h>

#include <mutex>

namespace culprit::fakedriver {

// A mutex that another thread held while the process forked would stay locked in the child for
// ever. Called once for a mutex, this takes it around every fork. Only for mutexes under which no
// other lock is taken.
template <std::mutex& (*TheMutex)()>
void TakeAroundForks() {
  pthread_atfork([] { TheMutex().lock(); }, [] { TheMutex().unlock(); },
                 [] { TheMutex().unlock(); });
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_FORK_SAFE_H_
