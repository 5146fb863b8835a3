// SPDX-License-Identifier: Apache-2.0
#include "inventory/driver/entries.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace culprit::inventory {
namespace {

struct Row {
  std::string_view symbol, lookup;
  int since;
  std::string_view family, effect, parameters;
};

struct Alias {
  std::string_view symbol, base;
};

constexpr Row kRows[] = {
#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  {#symbol, #lookup, since, #family, #effect, #parameters},
#define FD_STUB(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  {#symbol, #lookup, since, #family, #effect, #parameters},
#include "fakedriver/abi/driver_api.def"
#undef FD_API
#undef FD_STUB
};

constexpr Alias kAliases[] = {
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) {#symbol, #base},
#include "fakedriver/abi/driver_api.def"
#undef FD_ALIAS
};

// "(CUstream* phStream, unsigned int Flags)" as {"CUstream*", "unsigned int"}.
std::vector<std::string_view> ParameterTypes(std::string_view parameters) {
  std::vector<std::string_view> types;
  parameters.remove_prefix(1);
  parameters.remove_suffix(1);
  while (!parameters.empty()) {
    const size_t comma = std::min(parameters.find(','), parameters.size());
    std::string_view declaration = parameters.substr(0, comma);
    declaration.remove_prefix(std::min(declaration.find_first_not_of(' '), declaration.size()));
    const size_t space = declaration.rfind(' ');
    types.push_back(declaration.substr(0, space));
    parameters.remove_prefix(std::min(comma + 1, parameters.size()));
  }
  return types;
}

Role RoleOf(const Row& row) {
  if (row.lookup == "cuCtxPushCurrent") return Role::kPushes;
  if (row.lookup == "cuCtxPopCurrent") return Role::kPops;
  if (row.effect == "kCreates") return Role::kCreates;
  if (row.effect == "kDestroys") return Role::kDestroys;
  if (row.effect == "kWaits") return Role::kWaits;
  return Role::kOther;
}

std::string_view WithoutVersion(std::string_view type) {
  return type.ends_with("_v1") ? type.substr(0, type.size() - 3) : type;
}

// A creating entry is paired with a destroying one through the handle type: the first parameter
// `T*` such that some destroying entry takes a `T` first. A retained primary context is given back
// by device, so it has a name of its own.
void FindObject(const Row& row, const std::set<std::string_view>& destroyed, DriverEntry* entry) {
  const auto types = ParameterTypes(row.parameters);
  if (types.empty()) return;
  if (row.family == "kPrimaryContext") {
    entry->object = "primary context";
    entry->object_parameter = 0;
    return;
  }
  if (entry->role == Role::kDestroys) {
    entry->object = WithoutVersion(types[0]);
    entry->object_parameter = 0;
    return;
  }
  for (size_t i = 0; i < types.size(); ++i) {
    std::string_view type = types[i];
    if (!type.ends_with('*') || type.starts_with("const ")) continue;
    if (type == "void**" && i > 0) continue;  // an array of pointers, not a pointer to receive
    type = WithoutVersion(type.substr(0, type.size() - 1));
    if (!destroyed.contains(type)) continue;
    entry->object = type;
    entry->object_parameter = static_cast<int>(i);
    return;
  }
}

std::vector<DriverEntry> Expand() {
  std::set<std::string_view> destroyed;
  for (const Row& row : kRows) {
    const auto types = ParameterTypes(row.parameters);
    if (RoleOf(row) == Role::kDestroys && !types.empty())
      destroyed.insert(WithoutVersion(types[0]));
  }
  std::vector<DriverEntry> entries;
  for (const Row& row : kRows) {
    DriverEntry entry{row.symbol, row.lookup, row.since, RoleOf(row), "", -1};
    if (entry.role == Role::kCreates || entry.role == Role::kDestroys)
      FindObject(row, destroyed, &entry);
    entries.push_back(entry);
  }
  return entries;
}

const std::vector<DriverEntry>& Entries() {
  static const auto* entries = new std::vector<DriverEntry>(Expand());
  return *entries;
}

using Index = std::unordered_map<std::string_view, const DriverEntry*>;

// A plain name means the newest variant, which is what the header makes of it.
Index BuildIndex() {
  Index index;
  for (const DriverEntry& entry : Entries()) index[entry.lookup] = &entry;
  for (const DriverEntry& entry : Entries()) index.emplace(entry.symbol, &entry);
  for (const Alias& alias : kAliases) {
    if (auto base = index.find(alias.base); base != index.end())
      index.emplace(alias.symbol, base->second);
  }
  return index;
}

}  // namespace

std::span<const DriverEntry> DriverEntries() { return Entries(); }

const DriverEntry* FindEntry(std::string_view name) {
  static const auto* index = new Index(BuildIndex());
  const auto found = index->find(name);
  return found == index->end() ? nullptr : found->second;
}

std::string_view VersionedSymbol(std::string_view name, int version) {
  std::string_view newest;
  bool plain_exists = false;
  for (const DriverEntry& entry : Entries()) {
    if (entry.lookup != name || entry.since > version) continue;
    plain_exists |= entry.symbol == name;
    newest = entry.symbol;
  }
  return plain_exists && newest != name ? newest : std::string_view{};
}

}  // namespace culprit::inventory
