// SPDX-License-Identifier: Apache-2.0
// Every place where a file names a driver entry, and in which way. Comments, ordinary strings, dead
// branches, prototypes, unevaluated operands and tests for presence are no mention; a call through
// a table member, a macro argument, a stored pointer, a name handed to dlsym, or a name glued
// together by a macro is.
#ifndef CULPRIT_INVENTORY_SCAN_MENTIONS_H_
#define CULPRIT_INVENTORY_SCAN_MENTIONS_H_

#include <cstdint>
#include <functional>
#include <map>
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
  kCall,       // cuModuleUnload(m)
  kTableCall,  // f->cuModuleUnload(m), (*f->cuModuleUnload)(m)
  kAliasCall,  // unload(m), where unload was given the entry
  kMacroUse,   // UNLOAD(m), where the macro's body names the entry
  kPasted,     // CU(ModuleUnload)
  kArgument,   // RUN(cuModuleUnload, m)
  kStored,     // x = f->cuModuleUnload
  kLookup,     // dlsym(driver, "cuModuleUnload")
  kLinked,     // asm("cuModuleUnload"), alias("cuModuleUnload"), #pragma weak drop = cuModuleUnload
  kDefinition,  // the file defines a function of that name
};

// "called through a function table", for messages.
std::string_view Describe(MentionKind kind);

struct Mention {
  MentionKind kind;
  const DriverEntry* entry;
  std::string spelled;  // as written: the entry, its alias, the macro
  std::string named;    // the driver's name that it comes to, as far as it differs
  std::string through;  // the macro or function whose argument it is, if any
  std::string alias;    // for kStored and kLookup: the name that now stands for the entry
  uint32_t begin, end;  // what a caret should underline
  uint32_t token;       // index of the token
  bool in_macro_body;
  std::string function;  // enclosing function or defined macro; empty at file scope
};

// A name other than the driver's own under which the tree keeps an entry; shared_aliases.h says
// which are believed.
struct SharedAlias {
  const DriverEntry* entry;
  bool member;  // called as table->name(), not as name()
};
using SharedAliases = std::map<std::string, SharedAlias, std::less<>>;

struct MentionContext {
  const MacroScope macros;
  const std::set<std::string>& lookup_functions;
  const SharedAliases& shared_aliases;
};

std::vector<Mention> FindMentions(const Lexed& lexed, const Outline& outline,
                                  const MentionContext& context);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_MENTIONS_H_
