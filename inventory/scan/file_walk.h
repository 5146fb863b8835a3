// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_SCAN_FILE_WALK_H_
#define CULPRIT_INVENTORY_SCAN_FILE_WALK_H_

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::inventory {

// Paths below `root`, relative to it and sorted, that match one of `include` (empty: all) and none
// of `exclude`. Hidden folders and links are not followed. Throws InputError when `root` is no
// folder, or when a folder in it cannot be read.
std::vector<std::string> WalkFiles(const std::filesystem::path& root,
                                   const std::vector<std::string>& include,
                                   const std::vector<std::string>& exclude);

// The whole file. Throws InputError when it cannot be read or has more than 32 MiB.
std::string ReadFile(const std::filesystem::path& path);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_FILE_WALK_H_
