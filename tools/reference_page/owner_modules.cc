// SPDX-License-Identifier: Apache-2.0
#include "tools/reference_page/owner_modules.h"

#include <toml++/toml.h>
#include <algorithm>
#include <stdexcept>

namespace culprit::tools {

std::vector<OwnerModules> ReadOwnerModules(const std::string& path) {
  std::vector<OwnerModules> owners;
  toml::table contract;
  try {
    contract = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    throw std::runtime_error(path + ": " + std::string(error.description()));
  }
  const toml::array* tables = contract["owner"].as_array();
  if (tables == nullptr) throw std::runtime_error(path + ": there is no [[owner]]");
  for (const toml::node& node : *tables) {
    const toml::table& table = *node.as_table();
    OwnerModules owner{table["file"].value_or(std::string()), {}};
    if (!owner.file.starts_with("extractor/")) continue;
    const toml::array* fields = table["fields"].as_array();
    if (fields == nullptr) throw std::runtime_error(path + ": " + owner.file + " has no fields");
    for (const toml::node& field : *fields) owner.fields.push_back(field.value_or(std::string()));
    owners.push_back(std::move(owner));
  }
  std::sort(owners.begin(), owners.end(),
            [](const OwnerModules& a, const OwnerModules& b) { return a.file < b.file; });
  return owners;
}

}  // namespace culprit::tools
