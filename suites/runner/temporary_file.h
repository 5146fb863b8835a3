// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_TEMPORARY_FILE_H_
#define SUITES_RUNNER_TEMPORARY_FILE_H_

#include <string>
#include <string_view>

namespace culprit::suites {

// An empty file in the folder for temporary files, that goes when the object does.
class TemporaryFile {
 public:
  // `name` begins the file's name.
  explicit TemporaryFile(std::string_view name);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Empty when no file could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_TEMPORARY_FILE_H_
