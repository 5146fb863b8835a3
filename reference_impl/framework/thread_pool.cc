// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/thread_pool.h"

#include <utility>

namespace culprit::reference {

ThreadPool::ThreadPool(uint32_t workers) {
  for (uint32_t i = 0; i < workers; ++i) workers_.push_back(std::make_unique<Worker>());
  for (const auto& worker : workers_) {
    worker->thread = std::thread([this, &worker = *worker] { Run(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  for (const auto& worker : workers_) worker->wake.notify_one();
  for (const auto& worker : workers_) worker->thread.join();
}

void ThreadPool::Enqueue(uint32_t worker, uint64_t order, Job job) {
  {
    const std::lock_guard lock(mutex_);
    workers_[worker]->jobs.emplace_back(order, std::move(job));
    ++unfinished_;
  }
  workers_[worker]->wake.notify_one();
}

void ThreadPool::Run(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    worker.wake.wait(lock, [&] { return ending_ || !worker.jobs.empty(); });
    if (worker.jobs.empty()) return;
    auto [order, job] = std::move(worker.jobs.front());
    worker.jobs.pop_front();
    lock.unlock();
    Status done = job();
    job = nullptr;  // what the job holds, pictures among it, goes before the job counts as finished
    lock.lock();
    if (!done.ok()) NoteFailure(order, std::move(done));
    if (--unfinished_ == 0) idle_.notify_all();
  }
}

void ThreadPool::NoteFailure(uint64_t order, Status status) {
  if (!failure_.ok() && failure_order_ <= order) return;
  failure_ = std::move(status);
  failure_order_ = order;
}

void ThreadPool::Wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return unfinished_ == 0; });
}

Status ThreadPool::TakeFailure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, Status());
}

bool ThreadPool::failed() const {
  const std::lock_guard lock(mutex_);
  return !failure_.ok();
}

}  // namespace culprit::reference
