// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/new_port_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/report_files.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

bool IsIdentifier(const std::string& name) {
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

void Instantiate(const fs::path& from, const fs::path& to, const std::string& name) {
  constexpr const char* kPlaceholder = "@NAME@";
  std::string text = ReadTextFile(from);
  for (size_t at; (at = text.find(kPlaceholder)) != std::string::npos;) text.replace(at, 6, name);
  WriteTextFile(to, text);
}

}  // namespace

int RunNewPort(const Installation& installation, const std::string& name) {
  const fs::path folder = name;
  const std::string target = folder.filename().string();
  if (!IsIdentifier(target)) {
    fmt::print(stderr, "culprit: '{}' must be a name of letters, digits and underscores\n", target);
    return kUsage;
  }
  std::error_code error;
  if (!fs::create_directories(folder, error)) {
    fmt::print(stderr, "culprit: {}: {}\n", name, error ? error.message() : "exists already");
    return kUsage;
  }
  try {
    const fs::path templates = installation.port_template;
    Instantiate(templates / "CMakeLists.txt.in", folder / "CMakeLists.txt", target);
    Instantiate(templates / "port.c.in", folder / (target + ".c"), target);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "culprit: {}\n", failure.what());
    return kCannotRun;
  }
  fmt::print(
      "{0} is made. Build and certify it with\n"
      "  cmake -S {0} -B {0}/build -Dculprit_DIR={1}\n"
      "  cmake --build {0}/build && ctest --test-dir {0}/build\n",
      name, installation.package);
  return kFine;
}

}  // namespace culprit::tools
