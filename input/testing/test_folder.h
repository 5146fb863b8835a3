// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_TESTING_TEST_FOLDER_H_
#define INPUT_TESTING_TEST_FOLDER_H_

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace culprit {

// A folder for the files of one test, that goes when the object does. Its name is nobody else's:
// the same test runs at the same time in other processes, of another build or another user.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "culprit_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace culprit

#endif  // INPUT_TESTING_TEST_FOLDER_H_
