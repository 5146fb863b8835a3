// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/host_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "input/input_error.h"
#include "suites/runner/run_delay.h"
#include "suites/runner/temporary_file.h"

extern char** environ;

namespace culprit::tools {
namespace {

constexpr int kAnswerDescriptor = 3;

using Clock = std::chrono::steady_clock;

// After so long somebody who waits is told for what.
constexpr std::chrono::seconds kNoticeAfter{10};

// A host that runs, and what it answers. It need not be waited for to the end of its pipe: what the
// port started may hold that open.
class Host {
 public:
  Host(pid_t process, int answers, std::string port, std::chrono::milliseconds limit)
      : process_(process), answers_(answers), port_(std::move(port)), limit_(limit) {}
  ~Host() {
    close(answers_);
    if (reaped_) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // See RunHost.
  std::string Run(const std::function<void(const nlohmann::json&)>& on_answer) {
    for (bool more = true; more;) {
      pollfd readable{answers_, POLLIN, 0};
      if (poll(&readable, 1, kPollMs) > 0) {
        more = Read(on_answer);
      } else if (HasEnded()) {
        more = poll(&readable, 1, 0) > 0;
      } else if (doing_ != Doing::kWork) {
        Watch();
      }
    }
    return HowItEnded();
  }

 private:
  enum class Doing { kWork, kLoad, kEnd };
  static constexpr int kPollMs = 50;

  // False at the end of the pipe.
  bool Read(const std::function<void(const nlohmann::json&)>& on_answer) {
    char chunk[1 << 16];
    const ssize_t got = read(answers_, chunk, sizeof(chunk));
    if (got < 0) return errno == EINTR;
    if (got == 0) return false;
    pending_.append(chunk, static_cast<size_t>(got));
    size_t start = 0;
    for (size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1) {
      Take(nlohmann::json::parse(pending_.begin() + static_cast<ptrdiff_t>(start),
                                 pending_.begin() + static_cast<ptrdiff_t>(end)),
           on_answer);
    }
    pending_.erase(0, start);
    return true;
  }

  void Take(const nlohmann::json& answer,
            const std::function<void(const nlohmann::json&)>& on_answer) {
    const auto type = answer.at("type").get<std::string>();
    if (type == "loading") {
      Begin(Doing::kLoad);
    } else if (type == "failed") {
      reason_ = answer.at("reason").get<std::string>();
      input_is_wrong_ = answer.at("input");
      Begin(Doing::kEnd);
    } else if (type == "done") {
      Begin(Doing::kEnd);
    } else {
      if (doing_ == Doing::kLoad) doing_ = Doing::kWork;
      on_answer(answer);
    }
  }

  void Begin(Doing doing) {
    doing_ = doing;
    began_ = Clock::now();
  }

  void Watch() {
    if (doing_ == Doing::kLoad && !told_ && Clock::now() - began_ > kNoticeAfter) {
      fmt::print(stderr, "culprit: {} is still being loaded; after {:g} s it is given up\n", port_,
                 std::chrono::duration<double>(limit_).count());
      told_ = true;
    }
    if (killed_ || !watch_.IsOver(process_, began_, limit_)) return;
    killed_ = true;
    kill(process_, SIGKILL);
  }

  bool HasEnded() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == process_;
  }

  std::string HowItEnded() {
    if (doing_ == Doing::kWork) began_ = Clock::now();  // of a host that has closed its pipe
    while (!HasEnded()) {
      Watch();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    int status = 0;
    waitpid(process_, &status, 0);
    reaped_ = true;
    if (input_is_wrong_) throw InputError(reason_);
    if (!reason_.empty()) return reason_;
    const std::string how = killed_ ? fmt::format("did not return within {:g} s",
                                                  std::chrono::duration<double>(limit_).count())
                            : WIFSIGNALED(status)
                                ? fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                                              strsignal(WTERMSIG(status)))
                                : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    if (doing_ == Doing::kLoad) {
      throw InputError(fmt::format("{}: the process {} while this port was loaded", port_, how));
    }
    if (doing_ == Doing::kEnd) {
      return killed_ || WIFSIGNALED(status)
                 ? fmt::format("{}: at its end the process {}", port_, how)
                 : "";
    }
    return "the host " + how + " before its work was done";
  }

  const pid_t process_;
  const int answers_;
  const std::string port_;
  const std::chrono::milliseconds limit_;
  std::string pending_;
  Doing doing_ = Doing::kWork;
  Clock::time_point began_;
  suites::TimeLimit watch_;
  bool told_ = false;
  bool killed_ = false;
  bool reaped_ = false;
  std::string reason_;
  bool input_is_wrong_ = false;
};

}  // namespace

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWithDriver(
    const std::string& driver_folder, const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::pair<std::string, std::string>> wanted = set;
  const char* already = getenv("LD_LIBRARY_PATH");
  wanted.emplace_back("LD_LIBRARY_PATH", already == nullptr || *already == '\0'
                                             ? driver_folder
                                             : driver_folder + ":" + already);
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : wanted) replaced |= key == name;
    if (!replaced) environment.push_back(text);
  }
  for (const auto& [key, value] : wanted) environment.push_back(key + "=" + value);
  return environment;
}

std::string RunHost(const std::string& host, const std::string& driver_folder,
                    const nlohmann::json& request,
                    const std::function<void(const nlohmann::json&)>& on_answer,
                    std::chrono::milliseconds limit) {
  const suites::TemporaryFile file("culprit-request");
  std::ofstream(file.path()) << request.dump();
  if (file.path().empty()) return "no temporary file for the request";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe to the host";
  std::vector<std::string> arguments = {host, file.path(), std::to_string(kAnswerDescriptor)};
  std::vector<std::string> environment = EnvironmentWithDriver(driver_folder, {});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kAnswerDescriptor);
  pid_t process = -1;
  const int error = posix_spawn(&process, host.c_str(), &actions, nullptr,
                                Pointers(arguments).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return fmt::format("{}: {}", host, strerror(error));
  }
  return Host(process, ends[0], request.value("port", "the port"), limit).Run(on_answer);
}

}  // namespace culprit::tools
