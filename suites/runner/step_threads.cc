// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/step_threads.h"

#include <utility>

namespace culprit::suites {

StepThreads::~StepThreads() {
  for (auto& [number, worker] : workers_) {
    {
      std::lock_guard lock(worker->mutex);
      worker->stop = true;
    }
    worker->changed.notify_all();
    worker->thread.join();
  }
}

void StepThreads::Run(uint32_t thread, const std::function<void()>& step) {
  if (thread == 0) {
    step();
    return;
  }
  std::unique_ptr<Worker>& worker = workers_[thread];
  if (worker == nullptr) {
    worker = std::make_unique<Worker>();
    worker->thread = std::thread([&served = *worker] { Serve(served); });
  }
  std::unique_lock lock(worker->mutex);
  worker->step = &step;
  worker->changed.notify_all();
  worker->changed.wait(lock, [&] { return worker->step == nullptr; });
  if (worker->thrown) std::rethrow_exception(std::exchange(worker->thrown, nullptr));
}

void StepThreads::Serve(Worker& worker) {
  std::unique_lock lock(worker.mutex);
  while (true) {
    worker.changed.wait(lock, [&] { return worker.stop || worker.step != nullptr; });
    if (worker.step == nullptr) return;
    try {
      (*worker.step)();
    } catch (...) {
      worker.thrown = std::current_exception();
    }
    worker.step = nullptr;
    worker.changed.notify_all();
  }
}

}  // namespace culprit::suites
