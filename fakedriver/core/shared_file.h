// SPDX-License-Identifier: Apache-2.0
//
// Memory files by which processes share bytes. A file has no name in any folder: another process
// reaches it as a descriptor of the one that made it, so nothing is left behind when a process
// dies. Both must be of one user and see the same process ids.
#ifndef FAKEDRIVER_CORE_SHARED_FILE_H_
#define FAKEDRIVER_CORE_SHARED_FILE_H_

#include <cstddef>
#include <cstdint>

namespace culprit::fakedriver {

// What another process needs to know of a file. Plain data: it travels inside IPC handles.
struct SharedFileName {
  int32_t process = 0;
  int32_t descriptor = -1;
  uint64_t inode = 0;  // tells when the descriptor stands for something else by now
};

class SharedFile {
 public:
  SharedFile() = default;
  // A file of `size` zero bytes, or of none when the system refuses.
  static SharedFile Create(uint64_t size);
  // The file that another living process, or this one, has under that name.
  static SharedFile Open(const SharedFileName& name);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  ~SharedFile();

  explicit operator bool() const { return descriptor_ >= 0; }
  uint64_t size() const { return size_; }
  SharedFileName name() const;

  // Puts bytes there that are not zero; holes stay holes.
  bool Write(const std::byte* bytes, uint64_t size) const;
  // The whole file, readable and writable: anywhere, or in place of what is mapped at `where`.
  // Null when the process has no room.
  std::byte* Map(std::byte* where = nullptr) const;

 private:
  SharedFile(int descriptor, uint64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_SHARED_FILE_H_
