// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/file_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "inventory/contract/input_error.h"
#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

bool MatchesAny(const std::vector<std::string>& globs, const std::string& path) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return GlobMatches(glob, path); });
}

}  // namespace

std::vector<std::string> WalkFiles(const std::filesystem::path& root,
                                   const std::vector<std::string>& include,
                                   const std::vector<std::string>& exclude) {
  if (!std::filesystem::is_directory(root))
    throw InputError(fmt::format("{}: no such folder", root.string()));
  std::vector<std::string> files;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (auto entry = std::filesystem::recursive_directory_iterator(root, options, error);
       entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    if (error) break;
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(error) && name.starts_with('.')) entry.disable_recursion_pending();
    if (!entry->is_regular_file(error) || entry->is_symlink(error)) continue;
    std::string path = entry->path().lexically_relative(root).generic_string();
    if (!include.empty() && !MatchesAny(include, path)) continue;
    if (!MatchesAny(exclude, path)) files.push_back(std::move(path));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw InputError(fmt::format("{}: cannot be read", path.string()));
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

}  // namespace culprit::inventory
