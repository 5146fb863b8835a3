// SPDX-License-Identifier: Apache-2.0
#include "inventory/contract/toml_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace culprit::inventory {
namespace {

std::string At(const std::string& path, const toml::source_region& where) {
  return fmt::format("{}:{}:{}", path, where.begin.line, where.begin.column);
}

}  // namespace

void TomlTable::Fail(std::string_view key, const std::string& message) const {
  const toml::node* node = table_.get(key);
  const auto& where = node ? node->source() : table_.source();
  throw InputError(fmt::format("{}: {}", At(path_, where), message));
}

const toml::node* TomlTable::Find(std::string_view key, std::string_view type,
                                  bool (toml::node::*is)() const noexcept) {
  known_.emplace(key);
  const toml::node* node = table_.get(key);
  if (node && !(node->*is)()) Fail(key, fmt::format("'{}' in {} must be {}", key, name_, type));
  return node;
}

std::string TomlTable::String(std::string_view key, std::string_view fallback) {
  const toml::node* node = Find(key, "a string", &toml::node::is_string);
  return node ? node->as_string()->get() : std::string(fallback);
}

std::string TomlTable::RequiredString(std::string_view key) {
  std::string value = String(key);
  if (value.empty()) Fail(key, fmt::format("{} needs '{}', which must not be empty", name_, key));
  return value;
}

bool TomlTable::Boolean(std::string_view key, bool fallback) {
  const toml::node* node = Find(key, "true or false", &toml::node::is_boolean);
  return node ? node->as_boolean()->get() : fallback;
}

int64_t TomlTable::Integer(std::string_view key, int64_t fallback) {
  const toml::node* node = Find(key, "an integer", &toml::node::is_integer);
  return node ? node->as_integer()->get() : fallback;
}

std::vector<std::string> TomlTable::Strings(std::string_view key) {
  const toml::node* node = Find(key, "a list of strings", &toml::node::is_array);
  std::vector<std::string> values;
  if (!node) return values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string())
      Fail(key, fmt::format("'{}' in {} must be a list of strings", key, name_));
    values.push_back(element.as_string()->get());
  }
  return values;
}

void TomlTable::Table(std::string_view key, const std::function<void(TomlTable&)>& read) {
  const toml::node* node = Find(key, "a table", &toml::node::is_table);
  if (!node) return;
  TomlTable table(*node->as_table(), path_, fmt::format("[{}]", key));
  read(table);
  table.Finish();
}

void TomlTable::Tables(std::string_view key, const std::function<void(TomlTable&)>& read) {
  const toml::node* node = Find(key, "a list of tables", &toml::node::is_array);
  if (!node) return;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) Fail(key, fmt::format("'{}' must be a list of tables", key));
    TomlTable table(*element.as_table(), path_, fmt::format("[[{}]]", key));
    read(table);
    table.Finish();
  }
}

void TomlTable::EachString(
    const std::function<void(const std::string&, const std::string&)>& read) {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    read(name, RequiredString(name));
  }
}

void TomlTable::Finish() const {
  for (const auto& [key, node] : table_) {
    if (known_.contains(key.str())) continue;
    Fail(key.str(), fmt::format("unknown key '{}' in {}; known: {}", key.str(), name_,
                                fmt::join(known_, ", ")));
  }
}

}  // namespace culprit::inventory
