// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace culprit::fakedriver {
namespace {

constexpr uint64_t kBytesAtOnce = uint64_t{64} << 10;

bool AllZero(const std::byte* bytes, uint64_t size) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, size - 1) == 0;
}

}  // namespace

SharedFile SharedFile::Create(uint64_t size) {
  SharedFile file(memfd_create("culprit-shared-memory", MFD_CLOEXEC), size);
  if (file && ftruncate(file.descriptor_, static_cast<off_t>(size)) != 0) return {};
  return file;
}

SharedFile SharedFile::Open(const SharedFileName& name) {
  const std::string path =
      "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.descriptor);
  SharedFile file(open(path.c_str(), O_RDWR | O_CLOEXEC), 0);
  struct stat about {};
  if (!file || fstat(file.descriptor_, &about) != 0 || about.st_ino != name.inode) return {};
  file.size_ = static_cast<uint64_t>(about.st_size);
  return file;
}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

SharedFileName SharedFile::name() const {
  struct stat about {};
  fstat(descriptor_, &about);
  return {getpid(), descriptor_, about.st_ino};
}

bool SharedFile::Write(const std::byte* bytes, uint64_t size) const {
  for (uint64_t at = 0; at < size; at += kBytesAtOnce) {
    const uint64_t piece = std::min(kBytesAtOnce, size - at);
    if (AllZero(bytes + at, piece)) continue;
    for (uint64_t done = 0; done < piece;) {
      const ssize_t written =
          pwrite(descriptor_, bytes + at + done, piece - done, static_cast<off_t>(at + done));
      if (written <= 0) return false;
      done += static_cast<uint64_t>(written);
    }
  }
  return true;
}

std::byte* SharedFile::Map(std::byte* where) const {
  const int flags = MAP_SHARED | (where != nullptr ? MAP_FIXED : 0);
  void* mapped = mmap(where, size_, PROT_READ | PROT_WRITE, flags, descriptor_, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

}  // namespace culprit::fakedriver
