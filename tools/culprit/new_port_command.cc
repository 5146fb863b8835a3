// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/new_port_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "input/input_error.h"
#include "input/text_file.h"
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

// The port is a target of its CMake project, so it cannot have a name that CMake keeps for itself.
void DemandTargetName(const std::string& name) {
  constexpr const char* kReserved[] = {"all",        "clean",         "depend",  "edit_cache",
                                       "help",       "install",       "package", "package_source",
                                       "preinstall", "rebuild_cache", "test"};
  if (!IsIdentifier(name)) {
    throw InputError(fmt::format(
        "'{}' is no name for a port: letters, digits and underscores, a letter first", name));
  }
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
    throw InputError(fmt::format(
        "'{}' is no name for a port: CMake has a target of this name; try my_{}", name, name));
  }
}

void Instantiate(const fs::path& from, const fs::path& to, const std::string& name) {
  constexpr const char* kPlaceholder = "@NAME@";
  std::string text = ReadTextFile(from);
  for (size_t at; (at = text.find(kPlaceholder)) != std::string::npos;) text.replace(at, 6, name);
  WriteTextFile(to, text);
}

}  // namespace

int RunNewPort(const Installation& installation, const std::string& name) {
  fs::path folder = fs::path(name).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "mine/"
  const std::string target = folder.filename().string();
  DemandTargetName(target);
  std::error_code error;
  if (!fs::create_directories(folder, error)) {
    throw InputError(fmt::format("{}: {}", folder.string(),
                                 error ? "cannot be made: " + error.message()
                                       : "exists already; name a folder that does not"));
  }
  const fs::path templates = installation.port_template;
  Instantiate(templates / "CMakeLists.txt.in", folder / "CMakeLists.txt", target);
  Instantiate(templates / "port.c.in", folder / (target + ".c"), target);
  fmt::print(
      "{0} is made. Build and certify it with\n"
      "  cmake -S {0} -B {0}/build -Dculprit_DIR={1}\n"
      "  cmake --build {0}/build && ctest --test-dir {0}/build\n",
      folder.string(), installation.package);
  return kFine;
}

}  // namespace culprit::tools
