// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/append_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace culprit::fakedriver::trace {
namespace {

constexpr size_t kWindowBytes = size_t{1} << 20;

}  // namespace

std::string AppendFile::Open(const std::string& path) {
  Close();
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return path + ": " + std::strerror(errno);
  path_ = path;
  lost_.clear();
  window_begin_ = 0;
  MapNextWindow();
  return {};
}

bool AppendFile::MapNextWindow() {
  Unmap();
  used_ = 0;
  // With room on the disk: a page of the mapping that has none would end the process.
  if (posix_fallocate(descriptor_, window_begin_, static_cast<off_t>(kWindowBytes)) != 0) {
    return false;
  }
  void* window =
      mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, window_begin_);
  if (window == MAP_FAILED) return false;
  window_ = static_cast<char*>(window);
  return true;
}

void AppendFile::Append(std::string_view text) {
  while (window_ != nullptr && !text.empty()) {
    const size_t fits = std::min(text.size(), kWindowBytes - used_);
    std::memcpy(window_ + used_, text.data(), fits);
    used_ += fits;
    text.remove_prefix(fits);
    if (used_ < kWindowBytes) continue;
    window_begin_ += static_cast<off_t>(kWindowBytes);
    if (!MapNextWindow()) lseek(descriptor_, window_begin_, SEEK_SET);
  }
  while (!text.empty()) {
    const ssize_t written = write(descriptor_, text.data(), text.size());
    if (written < 0 && errno != EINTR) {  // a full disk loses lines, not the program
      lost_ = path_ + ": " + std::strerror(errno);
      return;
    }
    text.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
  }
}

void AppendFile::Unmap() {
  if (window_ != nullptr) munmap(window_, kWindowBytes);
  window_ = nullptr;
}

void AppendFile::Close() {
  if (descriptor_ < 0) return;
  const bool mapped = window_ != nullptr;
  Unmap();
  if (mapped && ftruncate(descriptor_, window_begin_ + static_cast<off_t>(used_)) != 0) {
    // The zero bytes stay, as after a crash; readers skip them.
  }
  close(descriptor_);
  descriptor_ = -1;
}

}  // namespace culprit::fakedriver::trace
