// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_SCAN_GLOB_H_
#define CULPRIT_INVENTORY_SCAN_GLOB_H_

#include <string_view>

namespace culprit::inventory {

// `*` and `?` stay within a path component, `**` crosses them; "src/**/x.c" matches "src/x.c" too.
// A pattern without '/' is matched against the last component.
bool GlobMatches(std::string_view pattern, std::string_view path);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_GLOB_H_
