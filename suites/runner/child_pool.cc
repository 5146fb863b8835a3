// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/child_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "suites/runner/run_delay.h"

namespace culprit::suites {
namespace {

using Clock = std::chrono::steady_clock;

// How long a hung child may take to write its stacks.
constexpr std::chrono::milliseconds kGrace{1500};
constexpr int kHarnessFailure = 70;

// "#6 cuCtxPopCurrent_v2 on thread 1: CUDA_SUCCESS" of the end of a call log. What a child that
// crashed has written may be cut off anywhere; then it tells nothing.
std::string LastDriverCall(std::string_view end_of_log) {
  const size_t end = end_of_log.rfind('}');
  if (end == std::string_view::npos) return {};
  try {
    const auto call = nlohmann::json::parse(end_of_log.substr(0, end + 1));
    return fmt::format("#{} {} on thread {}: {}", call.at("seq").get<uint64_t>(),
                       call.at("entry").get<std::string>(), call.at("thread").get<uint32_t>(),
                       call.at("result").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

struct ChildPool::Child {
  Task task;
  pid_t process = -1;
  int pipe = -1;
  BlackBox* box = nullptr;
  std::string unfinished_line;
  TimeLimit limit;
  bool asked_for_stacks = false;
  Clock::time_point asked_at;
};

void ChildLink::Send(const std::string& line) {
  std::string text = line + '\n';
  for (size_t at = 0; at < text.size();) {
    const ssize_t wrote = write(fd_, text.data() + at, text.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) _exit(kHarnessFailure);  // the parent is gone
    at += static_cast<size_t>(wrote);
  }
}

std::string ChildEnd::Text() const {
  switch (kind) {
    case Kind::kFinished:
      return "finished";
    case Kind::kCrashed:
      return fmt::format("was killed by signal {} ({})", number, strsignal(number));
    case Kind::kHung:
      return "did not return";
    case Kind::kExited:
      return fmt::format("ended the process with exit code {}", number);
    case Kind::kHarnessFailed:
      return fmt::format("the harness gave up: {}", doing);
    case Kind::kNotStarted:
      return "was not started";
  }
  return {};
}

ChildPool::ChildPool(size_t jobs) : jobs_(jobs == 0 ? 1 : jobs) {}

ChildPool::~ChildPool() {
  for (const auto& child : children_) {
    kill(child->process, SIGKILL);
    waitpid(child->process, nullptr, 0);
    close(child->pipe);
    UnmapBlackBox(child->box);
  }
}

void ChildPool::Start(Task task) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to a child");
  auto child = std::make_unique<Child>();
  child->task = std::move(task);
  child->box = MapBlackBox();
  child->pipe = ends[0];
  fflush(nullptr);
  child->process = fork();
  if (child->process < 0) throw std::runtime_error("fork failed");
  if (child->process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    for (const auto& sibling : children_) close(sibling->pipe);
    InstallRecorder(child->box, child->task.control);
    ChildLink link(ends[1], *child->box);
    try {
      child->task.body(link);
      child->box->finished = true;
    } catch (const std::exception& error) {
      strncpy(child->box->doing, error.what(), sizeof(child->box->doing) - 1);
      child->box->harness_failed = true;
      _exit(kHarnessFailure);
    }
    fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  children_.push_back(std::move(child));
}

// False at the end of the pipe.
bool ChildPool::ReadFrom(Child& child) {
  char chunk[1 << 16];
  const ssize_t got = read(child.pipe, chunk, sizeof(chunk));
  if (got < 0) return errno == EINTR;
  if (got == 0) return false;
  child.unfinished_line.append(chunk, static_cast<size_t>(got));
  size_t start = 0;
  for (size_t end; (end = child.unfinished_line.find('\n', start)) != std::string::npos;) {
    child.task.on_line(std::string_view(child.unfinished_line).substr(start, end - start));
    start = end + 1;
  }
  child.unfinished_line.erase(0, start);
  return true;
}

// A process that the subject started may hold the pipe open beyond the child's end, so the end of
// the pipe is not waited for. What the child still wrote is read first.
bool ChildPool::HasEnded(Child& child) {
  siginfo_t info{};
  const bool ended =
      waitid(P_PID, static_cast<id_t>(child.process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == child.process;
  for (pollfd rest{child.pipe, POLLIN, 0}; ended && poll(&rest, 1, 0) == 1;) {
    if (!ReadFrom(child)) break;
  }
  return ended;
}

void ChildPool::Watch(Child& child) {
  if (child.asked_for_stacks) {
    if (Clock::now() - child.asked_at > kGrace) kill(child.process, SIGKILL);
    return;
  }
  const std::chrono::nanoseconds started(child.box->case_started_ns);
  if (started.count() == 0) return;
  if (!child.limit.IsOver(child.process, Clock::time_point(started), child.task.case_limit)) return;
  child.asked_for_stacks = true;
  child.asked_at = Clock::now();
  kill(child.process, SIGQUIT);
}

void ChildPool::Finish(Child& child) {
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  close(child.pipe);
  ChildEnd end;
  const BlackBox& box = *child.box;
  end.case_index = box.case_index;
  if (box.finished) {
    end.kind = ChildEnd::Kind::kFinished;
  } else if (box.harness_failed) {
    end.kind = ChildEnd::Kind::kHarnessFailed;
  } else if (child.asked_for_stacks) {
    end.kind = ChildEnd::Kind::kHung;
  } else if (WIFSIGNALED(status)) {
    end.kind = ChildEnd::Kind::kCrashed;
    end.number = WTERMSIG(status);
  } else {
    end.kind = ChildEnd::Kind::kExited;
    end.number = WEXITSTATUS(status);
  }
  if (end.kind != ChildEnd::Kind::kFinished) {
    end.doing = box.doing;
    end.last_driver_call = LastDriverCall(box.last_driver_call);
    end.stacks = DescribeStacks(box);
  }
  UnmapBlackBox(child.box);
  const Task task = std::move(child.task);
  std::erase_if(children_, [&](const auto& other) { return other.get() == &child; });
  task.on_end(end);
}

void ChildPool::Run(const std::function<void()>& on_idle) {
  auto told = Clock::now();
  while (!waiting_.empty() || !children_.empty()) {
    while (children_.size() < jobs_ && !waiting_.empty()) {
      Task task = std::move(waiting_.front());
      waiting_.pop_front();
      if (task.wanted && !task.wanted()) {
        ChildEnd end;
        end.kind = ChildEnd::Kind::kNotStarted;
        task.on_end(end);
      } else {
        Start(std::move(task));
      }
    }
    std::vector<pollfd> polled;
    for (const auto& child : children_) polled.push_back({child->pipe, POLLIN, 0});
    poll(polled.data(), polled.size(), 50);
    std::vector<Child*> ended;
    for (size_t i = 0; i < polled.size(); ++i) {
      Child& child = *children_[i];
      const bool over = polled[i].revents != 0 ? !ReadFrom(child) : HasEnded(child);
      if (over) {
        ended.push_back(&child);
      } else {
        Watch(child);
      }
    }
    for (Child* child : ended) Finish(*child);
    if (on_idle && Clock::now() - told > std::chrono::milliseconds(100)) {
      told = Clock::now();
      on_idle();
    }
  }
}

}  // namespace culprit::suites
