// SPDX-License-Identifier: Apache-2.0
// The ownership contract of a source tree, as `inventory.toml` declares it.
// docs/inventory/contract.md explains each key.
#ifndef CULPRIT_INVENTORY_CONTRACT_CONTRACT_H_
#define CULPRIT_INVENTORY_CONTRACT_CONTRACT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/rules/rule.h"
#include "inventory/scan/conditional.h"

namespace culprit::inventory {

// Where in the contract something was said, so that a finding about the contract can point there.
struct Declared {
  unsigned line = 0;
};

// A function that may tear down. Names match unqualified ("Unload") or qualified
// ("Module::Unload"); `file` is a glob.
struct Helper : Declared {
  std::string name;
  std::string file;
  std::vector<std::string> releases;  // entries it may use; empty: all
};

// Where driver names may be looked up and entries stored, but not called.
struct Loader : Declared {
  std::string name;  // function; empty: all of `file`
  std::string file;
};

struct OwnerType {
  std::string name;
  std::string close;  // method that must be called on every member; empty: its destructor closes it
  bool listed =
      true;  // members belong to the exact list of owners; false: they only have to be closed
};

struct Owner : Declared {
  std::string file;
  std::vector<std::string> fields;
};

enum class FailedInit { kUnwinds, kClosedByCaller };

struct Callbacks {
  std::string type;                   // of the initialiser, for example FeatureExtractor
  std::vector<std::string> required;  // members that must be set and never be lost
};

struct Order : Declared {
  std::string function, file;
  std::string before, after;  // without `after`, the function must have `before` somewhere
  bool required = true;       // a matching function that lacks `before` altogether is a finding
  std::string reason;
};

struct Forbidden : Declared {
  std::string name;
  std::string file;  // glob; empty: everywhere
  std::string replacement;
  std::string reason;
};

struct VerifiedLink : Declared {
  std::string file;
  std::string reason;
};

struct Contract {
  std::string path;     // of the file, as findings show it; empty for the default contract
  uint64_t digest = 0;  // of its text
  std::vector<std::string> roots;  // globs of the sources; empty: everything below the root
  std::vector<std::string> exclude;
  int cuda_version = 12000;  // of the headers the tree is built with
  KnownMacros conditions;
  std::vector<Helper> helpers;
  std::vector<Loader> loaders;
  std::vector<std::string> checked_results;  // functions whose result may not even be cast away
  std::vector<std::string>
      true_on_success;  // functions that are given a result and answer whether it is one of success
  std::vector<std::string> push_helpers, pop_helpers;
  bool owners_declared = false;  // an [owners] table is present, so the list is exact
  std::string owner_object = "CUmodule";
  std::vector<OwnerType> owner_types;
  std::vector<Owner> owners;
  std::vector<std::string> init_functions, close_functions;  // globs
  FailedInit failed_init = FailedInit::kUnwinds;
  std::optional<Callbacks> callbacks;
  std::vector<Order> orders;
  std::vector<Forbidden> forbidden;
  std::vector<std::string>
      link_libraries;  // the tree's own libraries; empty: every library but the system's
  std::vector<VerifiedLink> verified_links;
  std::map<RuleId, Severity> severities;  // where they differ from the rules' own
};

// Which helper permits the use of `entry` (its symbol or plain name) in `function` of `file`; null
// when none does.
const Helper* PermittingHelper(const Contract& contract, std::string_view file,
                               std::string_view function, std::string_view lookup,
                               std::string_view symbol);

// Whether the function `name` (perhaps qualified) is the one that `declared` means.
bool NamesFunction(std::string_view declared, std::string_view name);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CONTRACT_CONTRACT_H_
