// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/glob.h"

#include <vector>

namespace culprit::inventory {
namespace {

// One row of the table "do the first i pattern characters match the first j path characters" at a
// time, so that no pattern can take more than |pattern| * |path| steps.
bool Matches(std::string_view pattern, std::string_view path) {
  std::vector<char> row(path.size() + 1, 0);
  row[0] = 1;
  for (size_t i = 0; i < pattern.size(); ++i) {
    std::vector<char> next(path.size() + 1, 0);
    const bool deep = pattern.substr(i, 2) == "**";
    const bool deep_folder = pattern.substr(i, 3) == "**/";
    if (deep) {
      bool any = false;
      for (size_t j = 0; j <= path.size(); ++j) {
        any |= row[j] != 0;
        const bool at_folder = j == 0 || path[j - 1] == '/';
        next[j] = deep_folder ? row[j] || (any && at_folder) : any;
      }
      i += deep_folder ? 2 : 1;
    } else if (pattern[i] == '*') {
      bool any = false;
      for (size_t j = 0; j <= path.size(); ++j) {
        if (j > 0 && path[j - 1] == '/') any = false;
        any |= row[j] != 0;
        next[j] = any;
      }
    } else {
      for (size_t j = 0; j < path.size(); ++j) {
        const bool same = pattern[i] == path[j] || (pattern[i] == '?' && path[j] != '/');
        next[j + 1] = row[j] && same;
      }
    }
    row = std::move(next);
  }
  return row[path.size()] != 0;
}

}  // namespace

bool GlobMatches(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == std::string_view::npos && pattern != "**")
    path.remove_prefix(path.rfind('/') + 1);
  return Matches(pattern, path);
}

}  // namespace culprit::inventory
