// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_ENTRY_TABLE_H_
#define SUITES_RUNNER_ENTRY_TABLE_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::suites {

// What the driver under test exports, in the order in which its call log numbers entries.
struct EntryTable {
  std::vector<std::string> names;  // symbols as exported
  // For each entry the one whose symbol is the name that it is looked up by, which a fault plan
  // takes for all variants; itself where there is none.
  std::vector<uint32_t> lookups;
  // Results that an entry is documented to return and that are failures of this call: neither
  // success, nor a status (NOT_READY), nor the state of a whole process (DEINITIALIZED).
  std::vector<std::vector<int32_t>> results;

  std::vector<bool> destroys;  // whether the entry ends the life of something
  std::vector<bool> creates;   // whether it begins one
  // Whether it needs a context, be it current or, under the strict profiles alone, the owner's.
  std::vector<bool> needs_context;

  bool IsLookup(uint32_t entry) const { return lookups[entry] == entry; }

  bool Destroys(const std::string& symbol) const { return Says(destroys, symbol); }
  bool Creates(const std::string& symbol) const { return Says(creates, symbol); }

  // `api_table` as the control ABI gives it. Throws nlohmann::json::exception.
  static EntryTable Read(const nlohmann::json& api_table);

 private:
  bool Says(const std::vector<bool>& claim, const std::string& symbol) const;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_ENTRY_TABLE_H_
