// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace culprit::tools {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::Show(uint64_t done, uint64_t planned, const std::string& what) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K{}/{} life cycles  {}", done, planned, what);
  fflush(stderr);
  shown_ = true;
}

void Progress::Clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  fflush(stderr);
  shown_ = false;
}

}  // namespace culprit::tools
