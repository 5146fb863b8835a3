// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/host_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "suites/runner/temporary_file.h"

extern char** environ;

namespace culprit::tools {
namespace {

constexpr int kAnswerDescriptor = 3;

// Reads JSON lines until the writer is gone.
void ReadAnswers(int fd, const std::function<void(const nlohmann::json&)>& on_answer) {
  std::string pending;
  char chunk[1 << 16];
  for (ssize_t got; (got = read(fd, chunk, sizeof(chunk))) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    pending.append(chunk, static_cast<size_t>(got));
    size_t start = 0;
    for (size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
      on_answer(nlohmann::json::parse(pending.begin() + static_cast<ptrdiff_t>(start),
                                      pending.begin() + static_cast<ptrdiff_t>(end)));
    }
    pending.erase(0, start);
  }
}

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
                    const std::function<void(const nlohmann::json&)>& on_answer) {
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
  std::string reason;
  bool done = false;
  ReadAnswers(ends[0], [&](const nlohmann::json& answer) {
    if (answer.at("type") == "failed") {
      reason = answer.at("reason").get<std::string>();
    } else if (answer.at("type") == "done") {
      done = true;
    } else {
      on_answer(answer);
    }
  });
  close(ends[0]);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!reason.empty()) return reason;
  if (WIFSIGNALED(status)) {
    return fmt::format(
        "the host was killed by signal {} ({}); a port that crashes while it is "
        "loaded does that",
        WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return done ? "" : fmt::format("the host ended early, exit code {}", WEXITSTATUS(status));
}

}  // namespace culprit::tools
