// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_STEP_THREADS_H_
#define SUITES_RUNNER_STEP_THREADS_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace culprit::suites {

// Threads of the harness that a script names by number. Thread 0 is the caller's own; the others
// are started when a step first asks for them and end with this object. A step runs to its end
// before the next begins, whatever thread it is on.
class StepThreads {
 public:
  StepThreads() = default;
  ~StepThreads();
  StepThreads(const StepThreads&) = delete;
  StepThreads& operator=(const StepThreads&) = delete;

  // What the step throws is thrown here.
  void Run(uint32_t thread, const std::function<void()>& step);
  size_t count() const { return workers_.size(); }

 private:
  struct Worker {
    std::mutex mutex;
    std::condition_variable changed;
    const std::function<void()>* step = nullptr;
    std::exception_ptr thrown;
    bool stop = false;
    std::thread thread;
  };
  static void Serve(Worker& worker);

  std::map<uint32_t, std::unique_ptr<Worker>> workers_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_STEP_THREADS_H_
