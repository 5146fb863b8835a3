// SPDX-License-Identifier: Apache-2.0
// A thread that runs one closure at a time while the caller waits: a scenario's @t1.
#ifndef SUITES_DRIVER_ATLAS_WORKER_H_
#define SUITES_DRIVER_ATLAS_WORKER_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace culprit::atlas {

class Worker {
 public:
  Worker() : thread_([this] { Loop(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Run(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    work_ = std::move(work);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !work_; });
  }

 private:
  void Loop() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stop_ || work_; });
      if (stop_) return;
      work_();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_WORKER_H_
