// SPDX-License-Identifier: Apache-2.0
//
// The program under test of environment_test: calls a driver that it knows nothing about.
// Arguments: the library, how often to ask for the name of a result, and how to end ("return",
// "exit", "fork": a child that calls the driver and exits as well, "leave": without exit handlers).
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void CallDriver(void* library, int times) {
  auto* name_of = reinterpret_cast<int (*)(int, const char**)>(dlsym(library, "cuGetErrorName"));
  for (int i = 0; i < times; ++i) {
    const char* name = nullptr;
    std::printf("%d\n", name_of(0, &name));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return 65;
  CallDriver(library, std::atoi(argv[2]));
  const std::string end = argv[3];
  if (end == "exit") std::exit(3);
  if (end == "leave") _exit(0);
  if (end == "fork") {
    std::fflush(stdout);
    const pid_t child = fork();
    CallDriver(library, 1);
    if (child == 0) std::exit(0);
    waitpid(child, nullptr, 0);
  }
  return 0;
}
