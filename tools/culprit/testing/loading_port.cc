// SPDX-License-Identifier: Apache-2.0
//
// A library that is no port and, while it is loaded, does what CULPRIT_TEST_LOADING says: "crash",
// "exit" or "hang". Without the variable it loads, and exports nothing.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

namespace {

__attribute__((constructor)) void WhileLoaded() {
  const char* variable = std::getenv("CULPRIT_TEST_LOADING");
  const std::string what = variable != nullptr ? variable : "";
  if (what == "crash") raise(SIGSEGV);
  if (what == "exit") _exit(3);
  while (what == "hang") pause();
}

}  // namespace
