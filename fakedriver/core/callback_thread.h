// SPDX-License-Identifier: Apache-2.0
//
// The one thread on which the driver calls the program back: host functions, stream callbacks, user
// object destructors. It is started for the first callback, so that a process without callbacks
// does not have it.
#ifndef FAKEDRIVER_CORE_CALLBACK_THREAD_H_
#define FAKEDRIVER_CORE_CALLBACK_THREAD_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace culprit::fakedriver {

class CallbackThread {
 public:
  static CallbackThread& Get();

  // Runs the callback there, and returns when it has returned. On the callback thread itself, it
  // runs at once.
  void Call(const std::function<void()>& callback);
  // Runs it there some time.
  void Post(std::function<void()> callback);
  // Waits until nothing is left to run.
  void Flush();

 private:
  CallbackThread() = default;

  void Loop();
  void Start();

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  uint64_t posted_ = 0;
  uint64_t finished_ = 0;
  bool running_ = false;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CALLBACK_THREAD_H_
