// SPDX-License-Identifier: Apache-2.0
// Who looks names up at run time: dlsym and its kin, and the functions and macros of a tree that
// hand a name on to them.
#ifndef CULPRIT_INVENTORY_SCAN_LOOKUP_H_
#define CULPRIT_INVENTORY_SCAN_LOOKUP_H_

#include <set>
#include <string>
#include <string_view>

#include "inventory/scan/lexer.h"
#include "inventory/scan/macros.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {

// dlsym, GetProcAddress, cuGetProcAddress and the like.
bool IsLookupFunction(std::string_view name);

// Functions of the file that pass a name on to a lookup function, so that their callers look names
// up too.
std::set<std::string> LookupFunctions(const Lexed& lexed, const Outline& outline);

// Macros that do, as LOAD(name) with dlsym(library, #name).
std::set<std::string> LookupMacros(const MacroTable& macros);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_LOOKUP_H_
