// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/peer_process.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace culprit::atlas {
namespace {

constexpr size_t kLongestAnswer = 4096;

}  // namespace

PeerProcess::PeerProcess(const std::function<std::string(uint32_t)>& answer) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return;
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    close(ends[0]);
    uint32_t step = 0;
    while (read(ends[1], &step, sizeof step) == sizeof step) {
      const std::string text = answer(step).substr(0, kLongestAnswer);
      if (write(ends[1], text.data(), text.size()) < 0) break;
    }
    _exit(0);
  }
  close(ends[1]);
  socket_ = ends[0];
}

PeerProcess::~PeerProcess() {
  if (socket_ >= 0) close(socket_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

std::string PeerProcess::Ask(uint32_t step) {
  char text[kLongestAnswer];
  if (write(socket_, &step, sizeof step) != sizeof step) return "ended|";
  const ssize_t size = read(socket_, text, sizeof text);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : "ended|";
}

}  // namespace culprit::atlas
