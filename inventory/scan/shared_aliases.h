// SPDX-License-Identifier: Apache-2.0
// Names other than the driver's own under which a tree keeps its entries: a loader stores
// cuModuleUnload as `table->unload`, and another file calls `driver->unload(m)`.
//
// Without types a name is believed only when it can mean nothing else: the whole tree declares it
// once, as a member or as a variable of file scope, and has no function or macro of that name.
#ifndef CULPRIT_INVENTORY_SCAN_SHARED_ALIASES_H_
#define CULPRIT_INVENTORY_SCAN_SHARED_ALIASES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/driver/entries.h"
#include "inventory/scan/lexer.h"
#include "inventory/scan/mentions.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {

class SharedAliasCollector {
 public:
  // What a file stores under which name.
  void AddStored(const std::vector<Mention>& mentions);
  // Names that are candidates so far; a file that has none of them need not be counted.
  const std::map<std::string, const DriverEntry*, std::less<>>& candidates() const {
    return stored_;
  }
  // How a file declares the candidates. Call for every file, after the last AddStored.
  void CountDeclarations(const Lexed& lexed, const Outline& outline);

  SharedAliases Take() const;

 private:
  struct Declarations {
    int members = 0, variables = 0, others = 0;
  };

  std::map<std::string, const DriverEntry*, std::less<>> stored_;  // null: several entries
  std::map<std::string, Declarations, std::less<>> declared_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_SHARED_ALIASES_H_
