// SPDX-License-Identifier: Apache-2.0
// Every place where a file names a driver entry, and in which way. Comments, ordinary strings, dead
// branches, prototypes, unevaluated operands and tests for presence are no mention; a call through
// a table member, a macro argument, a stored pointer, a name handed to dlsym, or a name glued
// together by a macro is.
#ifndef CULPRIT_INVENTORY_SCAN_MENTIONS_H_
#define CULPRIT_INVENTORY_SCAN_MENTIONS_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/driver/entries.h"
#include "inventory/scan/lexer.h"
#include "inventory/scan/macros.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {

enum class MentionKind : uint8_t {
  kCall,        // cuModuleUnload(m)
  kTableCall,   // f->cuModuleUnload(m), (*f->cuModuleUnload)(m)
  kAliasCall,   // unload(m), where unload was given the entry
  kMacroUse,    // UNLOAD(m), where the macro's body names the entry
  kPasted,      // CU(ModuleUnload)
  kArgument,    // RUN(cuModuleUnload, m)
  kStored,      // x = f->cuModuleUnload
  kLookup,      // dlsym(driver, "cuModuleUnload")
  kDefinition,  // the file defines a function of that name
};

// "called through a function table", for messages.
std::string_view Describe(MentionKind kind);

struct Mention {
  MentionKind kind;
  const DriverEntry* entry;
  std::string spelled;  // as written: the entry, its alias, the macro
  std::string through;  // the macro or function whose argument it is, if any
  std::string alias;    // for kStored and kLookup: the name that now stands for the entry
  uint32_t begin, end;  // what a caret should underline
  uint32_t token;       // index of the token
  bool in_macro_body;
  std::string function;  // enclosing function or defined macro; empty at file scope
};

// Functions of the tree that pass a name on to dlsym or cuGetProcAddress, so that their callers
// look names up too.
std::set<std::string> LookupFunctions(const Lexed& lexed, const Outline& outline);

// Macros that do, as LOAD(name) with dlsym(library, #name).
std::set<std::string> LookupMacros(const MacroTable& macros);

struct MentionContext {
  const MacroTable& macros;
  const std::set<std::string>& lookup_functions;
};

std::vector<Mention> FindMentions(const Lexed& lexed, const Outline& outline,
                                  const MentionContext& context);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_MENTIONS_H_
