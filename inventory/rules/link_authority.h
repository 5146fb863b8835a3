// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_LINK_AUTHORITY_H_
#define CULPRIT_INVENTORY_RULES_LINK_AUTHORITY_H_

#include <string>
#include <string_view>

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// Whether `path` is a build file: a makefile, CMake, Meson, Go with cgo, Cargo, a setup script, a
// container recipe, ...
bool IsBuildFile(std::string_view path);

// link-authority: a build file names a search path and a bare library. When the path is missing or
// stale the linker silently takes another library of that name; only a full path says which one is
// meant.
void CheckLinkAuthority(const SourceFile& file, const Contract& contract, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_LINK_AUTHORITY_H_
