// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_PROGRESS_H_
#define TOOLS_CULPRIT_PROGRESS_H_

#include <cstdint>
#include <string>

namespace culprit::tools {

// One line on standard error that is rewritten in place; nothing at all when that is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(uint64_t done, uint64_t planned, const std::string& what);
  void Clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_PROGRESS_H_
