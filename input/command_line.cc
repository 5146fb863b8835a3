// SPDX-License-Identifier: Apache-2.0
#include "input/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "input/number.h"

namespace culprit {

CLI::Validator WholeNumber(uint64_t least, uint64_t most) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        const auto value = WholeNumberIn(text);
        if (value && *value >= least && *value <= most) return {};
        return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
      },
      "");
}

CLI::Validator NumberFrom(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        const auto value = NumberIn(text);
        if (value && *value >= least && *value <= most) return {};
        return fmt::format("'{}' is no number from {} to {}", text, least, most);
      },
      "");
}

CLI::Validator NotEmpty() {
  return CLI::Validator(
      [](const std::string& text) { return text.empty() ? "must not be empty" : std::string(); },
      "");
}

CLI::Validator ReadableFile() {
  return CLI::Validator(
      [](const std::string& path) -> std::string {
        if (path.empty()) return "must not be empty";
        std::error_code error;
        if (access(path.c_str(), R_OK) == 0) {
          if (!std::filesystem::is_directory(path, error)) return {};
          errno = EISDIR;
        }
        return fmt::format("{}: cannot be read: {}", path, std::strerror(errno));
      },
      "");
}

}  // namespace culprit
