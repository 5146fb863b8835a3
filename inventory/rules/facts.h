// SPDX-License-Identifier: Apache-2.0
// What one file contributes to the questions that only the whole tree answers: who owns what, is it
// released, was everything found that the contract names. Plain data, so that an unchanged file's
// facts can be kept between runs.
#ifndef CULPRIT_INVENTORY_RULES_FACTS_H_
#define CULPRIT_INVENTORY_RULES_FACTS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "inventory/report/finding.h"

namespace culprit::inventory {

// Where a handle comes to be or is released.
struct HandleSite {
  std::string
      object;  // as DriverEntry::object; empty for a release by a helper, which may be of any kind
  std::string field;          // last component of the path: "modules" of s->modules[i]
  bool held_outside = false;  // in a field or global, not in a local or a parameter
  bool held_locally = false;  // in a local variable, which local-handle looks after
  bool on_close = false;      // in a function that closing reaches
  std::string function;
  Location where;
};

// A member of a declared owner type.
struct OwnerField {
  std::string type;
  std::string field;
  Location where;
};

// The close method of a declared owner type called on a member, in a function that closing reaches.
struct MemberClose {
  std::string field;
  std::string method;
};

// A call of a destroying entry.
struct TeardownSite {
  std::string entry;  // plain name
  std::string function;
  Location where;
  uint32_t first_line = 0, last_line = 0;  // of the statement
};

// A comment that says `culprit: allow(rule) until 2027-01-31: reason`.
struct Suppression {
  std::vector<std::string> rules;
  std::string until;  // ISO date, empty: for good
  std::string reason;
  Location where;
  uint32_t begin = 0, end = 0;  // of the comment
  uint32_t applies_to = 0;      // line
};

struct FileFacts {
  std::string path;
  uint32_t lines = 0;
  std::vector<HandleSite> creations;
  std::vector<HandleSite> releases;
  std::vector<OwnerField> owner_fields;
  std::vector<MemberClose> member_closes;
  bool closes = false;           // the file has a function that closes
  std::set<int> orders_matched;  // indices into Contract::orders whose function the file has
  std::vector<TeardownSite> teardowns;
  std::vector<Suppression> suppressions;
  uint32_t unparsed_bytes = 0;  // what only the token scan has read
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_FACTS_H_
