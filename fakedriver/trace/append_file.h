// SPDX-License-Identifier: Apache-2.0
//
// A file that is only appended to and that keeps every line when the process crashes or is killed:
// lines are copied into a shared mapping of the file, which belongs to the kernel. Until it is
// closed the file ends in zero bytes. What cannot be mapped (a pipe, a terminal) is written line by
// line.
#ifndef FAKEDRIVER_TRACE_APPEND_FILE_H_
#define FAKEDRIVER_TRACE_APPEND_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit::fakedriver::trace {

class AppendFile {
 public:
  AppendFile() = default;
  ~AppendFile() { Close(); }
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // The reason of a failure, or empty.
  std::string Open(const std::string& path);
  // Not in a process that was forked since: it shares the mapping.
  void Append(std::string_view text);
  // Cuts the zero bytes off.
  void Close();
  // Why something that was appended is not in the file, or empty; of the file opened last.
  const std::string& lost() const { return lost_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  bool MapNextWindow();
  void Unmap();

  int descriptor_ = -1;
  char* window_ = nullptr;  // null: not mapped, write instead
  off_t window_begin_ = 0;  // offset in the file
  size_t used_ = 0;         // of the window
  std::string path_;
  std::string lost_;
};

}  // namespace culprit::fakedriver::trace

#endif  // FAKEDRIVER_TRACE_APPEND_FILE_H_
