// SPDX-License-Identifier: Apache-2.0
#include "input/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "input/input_error.h"

namespace culprit {

std::string ReadTextFile(const std::string& path, size_t most) {
  const auto refuse = [&](const std::string& why) { throw InputError(path + ": " + why); };
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"),
                                                                &std::fclose);
  if (file == nullptr) refuse(std::string("cannot be read: ") + std::strerror(errno));
  std::string text;
  char chunk[1 << 16];
  for (size_t got; (got = std::fread(chunk, 1, sizeof(chunk), file.get())) != 0;) {
    if (text.size() + got > most) {
      refuse("has more than " + std::to_string(most) + " bytes, which is no file of this kind");
    }
    text.append(chunk, got);
  }
  // A folder can be opened; what it refuses is to be read.
  if (std::ferror(file.get()) != 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

void DemandWritable(const std::string& path) {
  // Not to wait for the reader of a pipe, who may come later.
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
  if (file < 0 && errno != ENXIO) {
    throw InputError(path + ": cannot be written: " + std::strerror(errno));
  }
  if (file >= 0) close(file);
}

}  // namespace culprit
