// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace culprit::inventory {
namespace {

void Add(const Contract& contract, RuleId rule, Location where, std::string function,
         std::string message, std::vector<Finding>* findings) {
  Finding finding;
  finding.rule = rule;
  finding.severity = SeverityOf(contract, rule);
  finding.where = std::move(where);
  finding.function = std::move(function);
  finding.message = std::move(message);
  if (finding.severity != Severity::kOff) findings->push_back(std::move(finding));
}

Location InContract(const Contract& contract, unsigned line) {
  return {contract.path, {line, 1}, 2, ""};
}

using Key = std::pair<std::string, std::string>;  // file, field

std::set<Key> DeclaredKeys(const Contract& contract) {
  std::set<Key> keys;
  for (const Owner& owner : contract.owners) {
    for (const std::string& field : owner.fields) keys.insert({owner.file, field});
  }
  return keys;
}

bool ReleasesOnClose(const FileFacts& file, const std::string& field, const std::string& object) {
  return std::any_of(file.releases.begin(), file.releases.end(), [&](const HandleSite& site) {
    return site.field == field && (site.object.empty() || site.object == object) &&
           (site.on_close || !file.closes);
  });
}

// "src/motion" of src/motion.h: a class is declared in one file of that name and defined in
// another.
std::string_view Stem(std::string_view path) { return path.substr(0, path.rfind('.')); }

bool MemberIsClosed(const Contract& contract, const std::vector<FileFacts>& files,
                    const FileFacts& file, const OwnerField& member) {
  const auto type =
      std::find_if(contract.owner_types.begin(), contract.owner_types.end(),
                   [&](const OwnerType& declared) { return declared.name == member.type; });
  if (type == contract.owner_types.end() || type->close.empty())
    return true;  // the destructor closes it
  return std::any_of(files.begin(), files.end(), [&](const FileFacts& other) {
    if (Stem(other.path) != Stem(file.path)) return false;
    return std::any_of(other.member_closes.begin(), other.member_closes.end(),
                       [&](const MemberClose& close) {
                         return close.field == member.field && close.method == type->close;
                       });
  });
}

bool IsListed(const Contract& contract, const std::string& type) {
  return std::any_of(
      contract.owner_types.begin(), contract.owner_types.end(),
      [&](const OwnerType& declared) { return declared.name == type && declared.listed; });
}

void CheckMembersClosed(const Contract& contract, const std::vector<FileFacts>& files,
                        std::vector<Finding>* findings) {
  for (const FileFacts& file : files) {
    for (const OwnerField& member : file.owner_fields) {
      if (MemberIsClosed(contract, files, file, member)) continue;
      Add(contract, RuleId::kOwnerNotClosed, member.where, "",
          fmt::format("no function that closes calls the close method of '{}', a {}", member.field,
                      member.type),
          findings);
    }
  }
}

void CheckLoadedIsReleased(const Contract& contract, const std::vector<FileFacts>& files,
                           const FoundOwner& owner, std::vector<Finding>* findings) {
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const FileFacts& facts) { return facts.path == owner.file; });
  if (owner.by_type || ReleasesOnClose(*file, owner.field, contract.owner_object)) return;
  Add(contract, RuleId::kOwnerNotClosed, owner.where, "",
      fmt::format("'{}' is loaded here, and no function that closes gives it to a helper",
                  owner.field),
      findings);
}

}  // namespace

std::vector<FoundOwner> FindOwners(const Contract& contract, const std::vector<FileFacts>& files) {
  std::vector<FoundOwner> owners;
  std::set<Key> seen;
  for (const FileFacts& file : files) {
    for (const HandleSite& site : file.creations) {
      const bool owns = site.object == contract.owner_object && site.held_outside;
      if (owns && seen.insert({file.path, site.field}).second)
        owners.push_back({file.path, site.field, site.where, false});
    }
    for (const OwnerField& field : file.owner_fields) {
      if (!IsListed(contract, field.type)) continue;
      if (seen.insert({file.path, field.field}).second)
        owners.push_back({file.path, field.field, field.where, true});
    }
  }
  return owners;
}

void CheckOwners(const Contract& contract, const std::vector<FileFacts>& files,
                 std::vector<Finding>* findings) {
  if (!contract.owners_declared) return;
  CheckMembersClosed(contract, files, findings);
  const std::vector<FoundOwner> found = FindOwners(contract, files);
  const std::set<Key> declared = DeclaredKeys(contract);
  std::set<Key> present;
  for (const FoundOwner& owner : found) {
    present.insert({owner.file, owner.field});
    if (!declared.contains({owner.file, owner.field})) {
      Add(contract, RuleId::kUnknownOwner, owner.where, "",
          fmt::format("'{}' of {} owns a {} and is not in the inventory ({} owners declared)",
                      owner.field, owner.file, contract.owner_object, declared.size()),
          findings);
    }
    CheckLoadedIsReleased(contract, files, owner, findings);
  }
  for (const Owner& owner : contract.owners) {
    for (const std::string& field : owner.fields) {
      if (present.contains({owner.file, field})) continue;
      Add(contract, RuleId::kVanishedOwner, InContract(contract, owner.line), "",
          fmt::format("the inventory says that {} owns '{}'; the sources do not", owner.file,
                      field),
          findings);
    }
  }
}

void CheckCreateBalance(const Contract& contract, const std::vector<FileFacts>& files,
                        std::vector<Finding>* findings) {
  std::set<std::string> released_fields, released_objects;
  for (const FileFacts& file : files) {
    for (const HandleSite& site : file.releases) {
      released_fields.insert(site.field);
      if (!site.object.empty()) released_objects.insert(site.object);
    }
  }
  std::set<std::pair<std::string, std::string>> reported;
  for (const FileFacts& file : files) {
    for (const HandleSite& site : file.creations) {
      if (site.held_locally) continue;
      const bool field_lost = site.held_outside && !released_fields.contains(site.field);
      const bool object_lost = !released_objects.contains(site.object) &&
                               !(site.held_outside && released_fields.contains(site.field));
      if (!field_lost && !object_lost) continue;
      if (!reported.insert({file.path, field_lost ? site.field : site.object}).second) continue;
      const std::string what = field_lost ? fmt::format("'{}', a {},", site.field, site.object)
                                          : fmt::format("a {}", site.object);
      Add(contract, RuleId::kUnbalancedCreate, site.where, site.function,
          fmt::format("{} is created here and nothing in the checked sources destroys it", what),
          findings);
    }
  }
}

}  // namespace culprit::inventory
