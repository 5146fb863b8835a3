// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/file_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "input/input_error.h"
#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

bool MatchesAny(const std::vector<std::string> &globs, const std::string &path) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string &glob) { return GlobMatches(glob, path); });
}

// A token takes some forty bytes, so that this much text still fits into a
// gibibyte.
constexpr size_t kLargestFile = 32 << 20;

}  // namespace

std::vector<std::string> WalkFiles(const std::filesystem::path &root,
                                   const std::vector<std::string> &include,
                                   const std::vector<std::string> &exclude) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(root)) {
    throw InputError(
        fmt::format("{}: {}", root.string(), fs::exists(root) ? "not a folder" : "no such folder"));
  }
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
  // What could not be walked was not checked, and a clean result would be a
  // lie.
  if (error)
    throw InputError(fmt::format("{}: the folder, or one in it, cannot be read: {}", last.string(),
                                 error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

// Read to its end whatever its size is said to be: a pipe has none, and a
// device may have no end.
std::string ReadFile(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  if (!in || std::filesystem::is_directory(path, error))
    throw InputError(fmt::format("{}: cannot be read", path.string()));
  std::string text;
  const auto size = std::filesystem::file_size(path, error);
  size_t step = error ? 0 : std::min<size_t>(size, kLargestFile) + 1;
  while (in && text.size() <= kLargestFile) {
    const size_t read = text.size();
    text.resize(read + step);
    in.read(text.data() + read, static_cast<std::streamsize>(step));
    text.resize(read + static_cast<size_t>(in.gcount()));
    step = 1 << 16;
  }
  if (in.bad()) throw InputError(fmt::format("{}: cannot be read", path.string()));
  if (text.size() > kLargestFile) {
    throw InputError(
        fmt::format("{}: files of more than {} MiB are not read; if it is data, name it in "
                    "'exclude'",
                    path.string(), kLargestFile >> 20));
  }
  return text;
}

}  // namespace culprit::inventory
