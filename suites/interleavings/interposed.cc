// SPDX-License-Identifier: Apache-2.0
//
// The C library's thread functions, in front of the subject: what it does with its own mutexes,
// condition variables and threads goes through the scheduler. Everything else, the harness and the
// driver among it, goes straight to the C library.
//
// A mutex is the subject's when its code locks it. std::condition_variable and std::thread call
// from the C++ library: a wait is the subject's when it holds the mutex, a signal when somebody of
// the run could be waiting, a thread when its function or, for std::thread, its state's type lies
// in the subject.
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>

#include "suites/interleavings/scheduler.h"
#include "suites/runner/host_use.h"

namespace {

using culprit::interleavings::Scheduler;
using culprit::interleavings::TheScheduler;
using culprit::interleavings::ThreadId;
using culprit::suites::IsSubjectCode;

using StartRoutine = void* (*)(void*);

struct Started {
  StartRoutine routine;
  void* argument;
  ThreadId thread;
};

// Condition variables have two versions, of which only the newer one has this layout.
template <typename Function>
Function Next(const char* name, const char* version = nullptr) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  return reinterpret_cast<Function>(found != nullptr ? found : dlsym(RTLD_NEXT, name));
}
constexpr const char* kConditions = "GLIBC_2.3.2";

std::map<pthread_t, ThreadId>& Threads() {
  static std::map<pthread_t, ThreadId> threads;
  return threads;
}

bool IsSubjects(void* caller) { return TheScheduler().Manages() && IsSubjectCode(caller); }

// Of std::thread the argument points to an object whose table of functions is the caller's.
bool StartsSubjectCode(StartRoutine routine, void* argument) {
  if (!TheScheduler().Manages()) return false;
  if (IsSubjectCode(reinterpret_cast<void*>(routine))) return true;
  Dl_info info{};
  const bool in_cxx_library = dladdr(reinterpret_cast<void*>(routine), &info) != 0 &&
                              std::strstr(info.dli_fname, "libstdc++") != nullptr;
  return in_cxx_library && IsSubjectCode(*static_cast<void**>(argument));
}

void* Run(void* argument) {
  const std::unique_ptr<Started> started(static_cast<Started*>(argument));
  TheScheduler().Started(started->thread);
  void* result = started->routine(started->argument);
  TheScheduler().Finished();
  return result;
}

int RealLock(pthread_mutex_t* mutex) {
  static const auto next = Next<int (*)(pthread_mutex_t*)>("pthread_mutex_lock");
  return next(mutex);
}
int RealUnlock(pthread_mutex_t* mutex) {
  static const auto next = Next<int (*)(pthread_mutex_t*)>("pthread_mutex_unlock");
  return next(mutex);
}

// The model decides who waits; the real mutex is taken beside it, free by then, so that whoever
// looks at it (its destruction, most of all) sees it locked.
int ManagedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, bool has_limit) {
  RealUnlock(mutex);
  const bool timed_out = TheScheduler().Wait(condition, mutex, has_limit);
  RealLock(mutex);
  return timed_out ? ETIMEDOUT : 0;
}

}  // namespace

#define CULPRIT_IN_FRONT __attribute__((visibility("default")))

extern "C" {

CULPRIT_IN_FRONT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (IsSubjects(__builtin_return_address(0))) TheScheduler().Lock(mutex);
  return RealLock(mutex);
}

CULPRIT_IN_FRONT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static const auto next = Next<int (*)(pthread_mutex_t*)>("pthread_mutex_trylock");
  if (IsSubjects(__builtin_return_address(0)) && !TheScheduler().TryLock(mutex)) return EBUSY;
  return next(mutex);
}

CULPRIT_IN_FRONT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  const bool managed = TheScheduler().Manages() && TheScheduler().Holds(mutex);
  const int result = RealUnlock(mutex);
  if (managed) TheScheduler().Unlock(mutex);
  return result;
}

CULPRIT_IN_FRONT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static const auto next =
      Next<int (*)(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait", kConditions);
  const bool managed = TheScheduler().Manages() && TheScheduler().Holds(mutex);
  return managed ? ManagedWait(condition, mutex, false) : next(condition, mutex);
}

CULPRIT_IN_FRONT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* until) {
  static const auto next = Next<int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
      "pthread_cond_timedwait", kConditions);
  const bool managed = TheScheduler().Manages() && TheScheduler().Holds(mutex);
  return managed ? ManagedWait(condition, mutex, true) : next(condition, mutex, until);
}

CULPRIT_IN_FRONT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* until) {
  static const auto next =
      Next<int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
          "pthread_cond_clockwait");
  const bool managed = TheScheduler().Manages() && TheScheduler().Holds(mutex);
  return managed ? ManagedWait(condition, mutex, true) : next(condition, mutex, clock, until);
}

CULPRIT_IN_FRONT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static const auto next = Next<int (*)(pthread_cond_t*)>("pthread_cond_signal", kConditions);
  if (TheScheduler().Manages()) TheScheduler().Signal(condition, false);
  return next(condition);
}

CULPRIT_IN_FRONT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static const auto next = Next<int (*)(pthread_cond_t*)>("pthread_cond_broadcast", kConditions);
  if (TheScheduler().Manages()) TheScheduler().Signal(condition, true);
  return next(condition);
}

CULPRIT_IN_FRONT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                    StartRoutine routine, void* argument) noexcept {
  static const auto next =
      Next<int (*)(pthread_t*, const pthread_attr_t*, StartRoutine, void*)>("pthread_create");
  if (!StartsSubjectCode(routine, argument)) return next(thread, attributes, routine, argument);
  Scheduler& scheduler = TheScheduler();
  const ThreadId id = scheduler.Created();
  const int result = next(thread, attributes, &Run, new Started{routine, argument, id});
  if (result != 0) return result;
  Threads()[*thread] = id;
  scheduler.Point();
  return 0;
}

CULPRIT_IN_FRONT int pthread_join(pthread_t thread, void** result) {
  static const auto next = Next<int (*)(pthread_t, void**)>("pthread_join");
  const auto known = Threads().find(thread);
  if (TheScheduler().Manages() && known != Threads().end()) {
    TheScheduler().Join(known->second);
    Threads().erase(known);
  }
  return next(thread, result);
}

CULPRIT_IN_FRONT int sched_yield() noexcept {
  static const auto next = Next<int (*)()>("sched_yield");
  if (IsSubjects(__builtin_return_address(0))) TheScheduler().Point();
  return next();
}

}  // extern "C"
