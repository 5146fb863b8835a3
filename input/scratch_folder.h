// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_SCRATCH_FOLDER_H_
#define INPUT_SCRATCH_FOLDER_H_

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace culprit {

// A folder for the files of one run, or of one test, that goes when the object does. Its name is
// nobody else's: the same runs at the same time in other processes, of another build or another
// user.
class ScratchFolder {
 public:
  ScratchFolder() {  // throws std::runtime_error
    std::string name = (std::filesystem::temp_directory_path() / "culprit-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace culprit

#endif  // INPUT_SCRATCH_FOLDER_H_
