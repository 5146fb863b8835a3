// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/culprit/exit_code.h"

namespace culprit::tools {

void OpenStandardStreams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one.
    static_cast<void>(open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void Complain(const char* what) noexcept { std::fprintf(stderr, "culprit: %s\n", what); }

int WithOutputWritten(int code) noexcept {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !failed_before) return code;
  std::fprintf(stderr, "culprit: standard output cannot be written%s%s\n", errno != 0 ? ": " : "",
               errno != 0 ? std::strerror(errno) : "");
  return kCannotRun;
}

}  // namespace culprit::tools
