// SPDX-License-Identifier: Apache-2.0
//
// Workers with a queue each. The session says which worker does a job, by frame or by extractor, so
// that a run's calls do not depend on which thread was quicker.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_THREAD_POOL_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_THREAD_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

class ThreadPool {
 public:
  using Job = std::function<Status()>;

  explicit ThreadPool(uint32_t workers);
  // Finishes the queued jobs and ends the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t workers() const { return static_cast<uint32_t>(workers_.size()); }

  // `order` ranks failures: of several, the one with the lowest order is reported, whoever failed
  // first on the clock.
  void Enqueue(uint32_t worker, uint64_t order, Job job);
  // Until every queue is empty and every worker idle.
  void Wait();
  // The failure of the jobs so far, and forgets it.
  Status TakeFailure();
  bool failed() const;

 private:
  struct Worker {
    std::deque<std::pair<uint64_t, Job>> jobs;
    std::condition_variable wake;
    std::thread thread;
  };

  void Run(Worker& worker);
  void NoteFailure(uint64_t order, Status status);

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<std::unique_ptr<Worker>> workers_;
  size_t unfinished_ = 0;
  bool ending_ = false;
  Status failure_;
  uint64_t failure_order_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_THREAD_POOL_H_
