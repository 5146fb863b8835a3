// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/temporary_file.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

namespace culprit::suites {

TemporaryFile::TemporaryFile(std::string_view name) {
  const std::filesystem::path pattern = std::string(name) + "-XXXXXX";
  std::string path = (std::filesystem::temp_directory_path() / pattern).string();
  const int file = mkstemp(path.data());
  if (file < 0) return;
  close(file);
  path_ = path;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace culprit::suites
