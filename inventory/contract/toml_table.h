// SPDX-License-Identifier: Apache-2.0
// A strict view of a TOML table: every key is asked for by its type, and what nobody asked for is
// an error. So the reader is the schema, and a typing error in a contract cannot quietly switch a
// check off.
#ifndef CULPRIT_INVENTORY_CONTRACT_TOML_TABLE_H_
#define CULPRIT_INVENTORY_CONTRACT_TOML_TABLE_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "input/input_error.h"

namespace culprit::inventory {

class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string path, std::string name)
      : table_(table), path_(std::move(path)), name_(std::move(name)) {}

  unsigned line() const { return table_.source().begin.line; }
  const std::string& name() const { return name_; }
  bool Has(std::string_view key) const { return table_.contains(key); }

  std::string String(std::string_view key, std::string_view fallback = "");
  std::string RequiredString(std::string_view key);
  bool Boolean(std::string_view key, bool fallback);
  int64_t Integer(std::string_view key, int64_t fallback);
  std::vector<std::string> Strings(std::string_view key);

  // Calls `read` with the table under `key`, if any; and with each table of the array under `key`.
  void Table(std::string_view key, const std::function<void(TomlTable&)>& read);
  void Tables(std::string_view key, const std::function<void(TomlTable&)>& read);

  // Each key with its string value, for tables whose keys are data.
  void EachString(
      const std::function<void(const std::string& key, const std::string& value)>& read);

  // Throws when a key was never asked for.
  void Finish() const;

  [[noreturn]] void Fail(std::string_view key, const std::string& message) const;

 private:
  const toml::node* Find(std::string_view key, std::string_view type,
                         bool (toml::node::*is)() const noexcept);

  const toml::table& table_;
  std::string path_;
  std::string name_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CONTRACT_TOML_TABLE_H_
