// SPDX-License-Identifier: Apache-2.0
//
// Children that run tasks side by side, forked from a process with one thread. A child that
// crashes, hangs or exits is an answer and not the end: the pool says which case it was in, with
// stacks, and goes on.
#ifndef SUITES_RUNNER_CHILD_POOL_H_
#define SUITES_RUNNER_CHILD_POOL_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suites/runner/black_box.h"

namespace culprit::suites {

// The child's side.
class ChildLink {
 public:
  ChildLink(int fd, BlackBox& box) : fd_(fd), box_(box) {}
  BlackBox& box() { return box_; }
  // One line of text to the parent; blocks until the pipe has room.
  void Send(const std::string& line);

 private:
  int fd_;
  BlackBox& box_;
};

struct ChildEnd {
  // kHarnessFailed: the harness itself gave up, `doing` says why; no verdict on the subject.
  enum class Kind : uint8_t { kFinished, kCrashed, kHung, kExited, kHarnessFailed, kNotStarted };
  Kind kind = Kind::kFinished;
  int32_t case_index = -1;  // what it was doing
  int number = 0;           // of the signal, or the exit code
  std::string doing;
  std::string last_driver_call;
  std::vector<std::vector<std::string>> stacks;  // one per thread, innermost frame first

  // "killed by SIGSEGV", "did not return", "called exit(3)"
  std::string Text() const;
};

class ChildPool {
 public:
  struct Task {
    std::function<void(ChildLink&)> body;  // in the child; must return to count as finished
    std::function<void(std::string_view line)> on_line;  // in the parent, for each line sent
    std::function<void(const ChildEnd&)> on_end;         // in the parent; may add tasks
    std::function<bool()>
        wanted;  // asked just before the start; false ends the task without a child
    // A case longer than this is a hang. Waiting for a processor does not count (TimeLimit).
    std::chrono::milliseconds case_limit{30000};
    const culprit_control_table* control = nullptr;
  };

  explicit ChildPool(size_t jobs);
  ~ChildPool();

  void Add(Task task) { waiting_.push_back(std::move(task)); }
  // Ahead of what waits: the rest of a batch whose child died.
  void AddFirst(Task task) { waiting_.push_front(std::move(task)); }
  // Runs until nothing waits and no child lives. `on_idle` is called about ten times a second.
  void Run(const std::function<void()>& on_idle = {});

 private:
  struct Child;
  void Start(Task task);
  bool ReadFrom(Child& child);
  void Watch(Child& child);
  bool HasEnded(Child& child);
  void Finish(Child& child);

  size_t jobs_;
  std::deque<Task> waiting_;
  std::vector<std::unique_ptr<Child>> children_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CHILD_POOL_H_
