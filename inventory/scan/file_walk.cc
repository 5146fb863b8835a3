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

// A token takes some forty bytes, so that this much text still fits into a gibibyte.
constexpr std::streamoff kLargestFile = 32 << 20;

}  // namespace

std::vector<std::string> WalkFiles(const std::filesystem::path& root,
                                   const std::vector<std::string>& include,
                                   const std::vector<std::string>& exclude) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(root)) throw InputError(fmt::format("{}: no such folder", root.string()));
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(root, error);
  fs::path last = root;
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    last = entry->path();
    std::error_code unknown;  // of an entry that vanished meanwhile, or cannot be looked at
    const std::string name = last.filename().string();
    if (entry->is_directory(unknown) && name.starts_with('.')) entry.disable_recursion_pending();
    if (!entry->is_regular_file(unknown) || entry->is_symlink(unknown)) continue;
    std::string path = last.lexically_relative(root).generic_string();
    if (!include.empty() && !MatchesAny(include, path)) continue;
    if (!MatchesAny(exclude, path)) files.push_back(std::move(path));
  }
  // What could not be walked was not checked, and a clean result would be a lie.
  if (error)
    throw InputError(fmt::format("{}: the folder, or one in it, cannot be read: {}", last.string(),
                                 error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::error_code error;
  if (!in || std::filesystem::is_directory(path, error))
    throw InputError(fmt::format("{}: cannot be read", path.string()));
  const std::streamoff size = in.tellg();
  if (size > kLargestFile) {
    throw InputError(
        fmt::format("{}: {} MiB, and files of more than {} MiB are not read; if it is "
                    "data, name it in 'exclude'",
                    path.string(), size >> 20, kLargestFile >> 20));
  }
  std::string text(static_cast<size_t>(std::max<std::streamoff>(size, 0)), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) throw InputError(fmt::format("{}: cannot be read", path.string()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

}  // namespace culprit::inventory
