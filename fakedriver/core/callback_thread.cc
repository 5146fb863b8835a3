// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/callback_thread.h"

#include "fakedriver/core/gate.h"
#include "fakedriver/core/quiet_thread.h"

namespace culprit::fakedriver {
namespace {

thread_local bool is_callback_thread = false;

void Run(const std::function<void()>& callback) {
  CallbackScope scope;
  callback();
}

}  // namespace

CallbackThread& CallbackThread::Get() {
  static CallbackThread* thread = new CallbackThread;
  return *thread;
}

void CallbackThread::Call(const std::function<void()>& callback) {
  if (is_callback_thread) {
    Run(callback);
    return;
  }
  std::unique_lock lock(mutex_);
  queue_.push_back(callback);
  const uint64_t mine = ++posted_;
  Start();
  changed_.notify_all();
  changed_.wait(lock, [&] { return finished_ >= mine; });
}

void CallbackThread::Post(std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  queue_.push_back(std::move(callback));
  ++posted_;
  Start();
  changed_.notify_all();
}

void CallbackThread::Flush() {
  if (is_callback_thread) return;
  std::unique_lock lock(mutex_);
  const uint64_t all = posted_;
  changed_.wait(lock, [&] { return finished_ >= all; });
}

void CallbackThread::Start() {
  if (running_) return;
  running_ = true;
  StartQuietThread([this] { Loop(); });
}

void CallbackThread::Loop() {
  is_callback_thread = true;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !queue_.empty(); });
    const std::function<void()> callback = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Run(callback);
    lock.lock();
    ++finished_;
    changed_.notify_all();
  }
}

}  // namespace culprit::fakedriver
