// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/asked_driver.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/execute.h"

namespace culprit::atlas {
namespace {

constexpr unsigned kMostSeconds = 60;

}  // namespace

Asked Ask(const std::string& library, const std::vector<Sequence>& sequences) {
  int fds[2];
  if (pipe(fds) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(fds[0]);
    const std::string error = OpenDriver(library);
    if (!error.empty()) {
      const std::string text = "cannot open " + library + ": " + error + "\n";
      _exit(write(fds[1], text.data(), text.size()) < 0 ? 5 : 4);
    }
    // Drivers can hang in what they leave undefined.
    alarm(kMostSeconds);
    // A line at a time, so that what a driver answered before it ended its process is known.
    for (const Sequence& sequence : sequences) {
      Execute(sequence, [&](const std::string& line) {
        const std::string text = line + "\n";
        if (write(fds[1], text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(3);
      });
    }
    _exit(0);
  }
  close(fds[1]);
  return {child, fds[0]};
}

std::vector<std::string> Collect(const Asked& asked) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(asked.fd, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close(asked.fd);
  int status = 0;
  waitpid(asked.pid, &status, 0);
  std::vector<std::string> lines;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  if (WIFSIGNALED(status)) lines.push_back("process|SIGNAL " + std::to_string(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    lines.push_back("process|EXIT " + std::to_string(WEXITSTATUS(status)));
  }
  return lines;
}

}  // namespace culprit::atlas
