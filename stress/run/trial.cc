// SPDX-License-Identifier: Apache-2.0
#include "stress/run/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <sstream>

#include "stress/run/child.h"

namespace culprit::stress {
namespace {

// What the messages said about the ending, before the exit status is looked at.
struct Reader {
  Trial trial;
  bool ended = false;

  void Line(const std::string& line, const std::function<void(int64_t)>& progress) {
    const size_t space = line.find(' ');
    const std::string_view word = std::string_view(line).substr(0, space);
    const std::string text = space == std::string::npos ? "" : line.substr(space + 1);
    if (word == message::kSample) {
      std::istringstream fields(text);
      Sample sample;
      fields >> sample.cycle;
      for (int64_t& value : sample.value) fields >> value;
      trial.samples.push_back(sample);
      if (progress) progress(sample.cycle);
    } else if (word == message::kMachine) {
      std::istringstream fields(text);
      std::getline(fields, trial.machine.device, '\t');
      std::getline(fields, trial.machine.driver_version, '\t');
      std::getline(fields, trial.machine.cuda_version, '\t');
      std::getline(fields, trial.machine.driver_file);
    } else if (word == message::kNoNvml) {
      trial.why_no_nvml = text;
    } else if (word == message::kPair) {
      const size_t tab = text.find('\t');
      trial.pair_names.push_back(text.substr(0, tab));
      std::istringstream needs(tab == std::string::npos ? "" : text.substr(tab));
      trial.pair_needs.emplace_back(std::istream_iterator<size_t>(needs),
                                    std::istream_iterator<size_t>());
    } else if (word == message::kControl) {
      trial.control = std::stoul(text);
    } else if (word == message::kSkip || word == message::kFail) {
      trial.ending = word == message::kSkip ? Ending::kSkipped : Ending::kFailed;
      trial.reason = text;
      ended = true;
    } else if (word == message::kDone) {
      trial.ending = Ending::kDone;
      ended = true;
    }
  }
};

// Reads messages until the child closes the pipe; false when it fell silent.
bool Follow(int fd, int silence_seconds, Reader& reader,
            const std::function<void(int64_t)>& progress) {
  std::string pending;
  for (;;) {
    pollfd poll_fd{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&poll_fd, 1, silence_seconds * 1000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char buffer[8192];
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    pending.append(buffer, static_cast<size_t>(got));
    for (size_t end; (end = pending.find('\n')) != std::string::npos;) {
      reader.Line(pending.substr(0, end), progress);
      pending.erase(0, end + 1);
    }
  }
}

std::string After(const Trial& trial) {
  return trial.samples.empty() ? "before the first reading"
                               : fmt::format("after cycle {}", trial.samples.back().cycle);
}

}  // namespace

Trial Supervise(const std::function<void(int)>& body, int silence_seconds,
                const std::function<void(int64_t)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  Reader reader;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    reader.trial.reason = fmt::format("pipe: {}", std::strerror(errno));
    return reader.trial;
  }
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    body(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    reader.trial.reason = fmt::format("fork: {}", std::strerror(errno));
    return reader.trial;
  }
  const bool closed = Follow(ends[0], silence_seconds, reader, progress);
  close(ends[0]);
  Trial& trial = reader.trial;
  if (!closed) {
    kill(child, SIGKILL);
    trial.ending = Ending::kHung;
    trial.reason = fmt::format("no reading for {} s, {}", silence_seconds, After(trial));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (closed && WIFSIGNALED(status)) {
    trial.ending = Ending::kCrashed;
    trial.reason = fmt::format("the process was ended by signal {} ({}), {}", WTERMSIG(status),
                               strsignal(WTERMSIG(status)), After(trial));
  } else if (closed && !reader.ended) {
    trial.ending = Ending::kCrashed;
    trial.reason = fmt::format("the process exited with {}, {}", WEXITSTATUS(status), After(trial));
  }
  trial.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return trial;
}

Trial RunTrial(const ProbeInfo& probe, const TrialPlan& plan,
               const std::function<void(int64_t)>& progress) {
  return Supervise([&](int pipe) { RunChild(probe, plan, pipe); }, plan.silence_seconds, progress);
}

}  // namespace culprit::stress
