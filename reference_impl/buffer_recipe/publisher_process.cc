// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/publisher_process.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

extern char** environ;

namespace culprit::reference {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "culprit-buffer-publisher";

// Empty if there is none.
fs::path FindProgram() {
  static const char kInThisLibrary = 0;
  Dl_info library{};
  if (dladdr(&kInThisLibrary, &library) == 0) return {};
  std::error_code error;
  fs::path folder = fs::absolute(library.dli_fname, error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / kProgram, error)) return folder / kProgram;
  }
  return {};
}

// With `socket` as its standard input and output; -1 on failure.
pid_t Spawn(const std::string& program, size_t bytes, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  std::string name = program;
  std::string size = std::to_string(bytes);
  char* arguments[] = {name.data(), size.data(), nullptr};
  pid_t process = -1;
  const int failure = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? process : -1;
}

bool ReadAll(int socket, void* to, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const ssize_t got = read(socket, static_cast<char*>(to) + at, bytes - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

Status PublisherProcess::Start(size_t bytes) {
  if (process_ >= 0) return Status();
  const fs::path program = FindProgram();
  if (program.empty()) return HostFailure(-ENOENT, std::string("there is no ") + kProgram);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return HostFailure(-errno, "no socket to the publisher");
  }
  process_ = Spawn(program.string(), bytes, ends[1]);
  close(ends[1]);
  socket_ = ends[0];
  if (process_ >= 0 && ReadAll(socket_, &handle_, sizeof handle_)) return Status();
  // That there is no handle is what to report.
  static_cast<void>(Stop());
  return HostFailure(-EIO, "the publisher gave no handle");
}

Status PublisherProcess::Stop() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  const pid_t process = std::exchange(process_, -1);
  if (process < 0) return Status();
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return HostFailure(-errno, "the publisher is not to be waited for");
  }
  const bool freed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return freed ? Status() : HostFailure(-EIO, "the publisher could not free its memory");
}

}  // namespace culprit::reference
