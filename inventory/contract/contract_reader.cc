// SPDX-License-Identifier: Apache-2.0
#include "inventory/contract/contract_reader.h"

#include <fmt/format.h>

#include "inventory/contract/toml_table.h"
#include "inventory/driver/entries.h"
#include "inventory/scan/hash.h"

namespace culprit::inventory {
namespace {

constexpr int64_t kFormatVersion = 1;

std::vector<std::string> DriverNames(TomlTable& table, std::string_view key) {
  std::vector<std::string> names = table.Strings(key);
  for (const std::string& name : names) {
    if (!FindEntry(name)) table.Fail(key, fmt::format("'{}' is no entry of the driver API", name));
  }
  return names;
}

void ReadHelpers(TomlTable& root, Contract* contract) {
  root.Tables("helper", [&](TomlTable& table) {
    contract->helpers.push_back({{table.line()},
                                 table.RequiredString("name"),
                                 table.String("file"),
                                 DriverNames(table, "releases")});
  });
  root.Tables("loader", [&](TomlTable& table) {
    Loader loader{{table.line()}, table.String("name"), table.String("file")};
    if (loader.name.empty() && loader.file.empty())
      table.Fail("name", "[[loader]] needs 'name' or 'file'");
    contract->loaders.push_back(std::move(loader));
  });
  root.Table("results", [&](TomlTable& table) {
    contract->checked_results = table.Strings("checked");
    contract->true_on_success = table.Strings("true_on_success");
  });
  root.Table("context", [&](TomlTable& table) {
    contract->push_helpers = table.Strings("push");
    contract->pop_helpers = table.Strings("pop");
  });
}

void ReadOwners(TomlTable& root, Contract* contract) {
  root.Table("owners", [&](TomlTable& table) {
    contract->owners_declared = true;
    contract->owner_object = table.String("object", contract->owner_object);
    table.Tables("type", [&](TomlTable& type) {
      contract->owner_types.push_back(
          {type.RequiredString("name"), type.String("close"), type.Boolean("listed", true)});
    });
  });
  root.Tables("owner", [&](TomlTable& table) {
    contract->owners_declared = true;
    Owner owner{{table.line()}, table.RequiredString("file"), table.Strings("fields")};
    if (owner.fields.empty())
      table.Fail("fields", "[[owner]] needs 'fields', the handles that the file loads into");
    contract->owners.push_back(std::move(owner));
  });
}

void ReadLifecycle(TomlTable& root, Contract* contract) {
  root.Table("lifecycle", [&](TomlTable& table) {
    contract->init_functions = table.Strings("init");
    contract->close_functions = table.Strings("close");
    const std::string failed_init = table.String("failed_init", "unwinds");
    if (failed_init != "unwinds" && failed_init != "closed_by_caller") {
      table.Fail("failed_init", "'failed_init' must be \"unwinds\" or \"closed_by_caller\"");
    }
    contract->failed_init =
        failed_init == "unwinds" ? FailedInit::kUnwinds : FailedInit::kClosedByCaller;
  });
  root.Table("callbacks", [&](TomlTable& table) {
    contract->callbacks = Callbacks{table.RequiredString("type"), table.Strings("required")};
  });
}

void ReadOrders(TomlTable& root, Contract* contract) {
  root.Tables("order", [&](TomlTable& table) {
    contract->orders.push_back({{table.line()},
                                table.RequiredString("function"),
                                table.String("file"),
                                table.RequiredString("before"),
                                table.String("after"),
                                table.Boolean("required", true),
                                table.String("reason")});
  });
  root.Tables("forbidden", [&](TomlTable& table) {
    contract->forbidden.push_back({{table.line()},
                                   table.RequiredString("name"),
                                   table.String("file"),
                                   table.String("replacement"),
                                   table.RequiredString("reason")});
  });
}

void ReadLink(TomlTable& root, Contract* contract) {
  root.Table("link", [&](TomlTable& table) {
    contract->link_libraries = table.Strings("libraries");
    table.Tables("verified", [&](TomlTable& verified) {
      contract->verified_links.push_back(
          {{verified.line()}, verified.RequiredString("file"), verified.RequiredString("reason")});
    });
  });
}

void ReadRules(TomlTable& root, Contract* contract) {
  root.Table("rules", [&](TomlTable& table) {
    table.EachString([&](const std::string& key, const std::string& value) {
      const RuleInfo* rule = FindRule(key);
      if (!rule)
        table.Fail(
            key,
            fmt::format("there is no rule '{}'; culprit inventory --list-rules names them", key));
      const auto severity = ParseSeverity(value);
      if (!severity)
        table.Fail(key,
                   fmt::format("'{}' must be \"error\", \"warning\", \"note\" or \"off\"", key));
      contract->severities[rule->id] = *severity;
    });
  });
}

void ReadConditions(TomlTable& root, Contract* contract) {
  root.Table("conditions", [&](TomlTable& table) {
    for (std::string& name : table.Strings("defined"))
      contract->conditions.defined.insert(std::move(name));
    for (std::string& name : table.Strings("undefined"))
      contract->conditions.undefined.insert(std::move(name));
  });
}

toml::table ParseToml(std::string_view text, const std::string& path) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}:{}: {}", path, error.source().begin.line,
                                 error.source().begin.column, error.description()));
  }
}

}  // namespace

Contract ParseContract(std::string_view text, const std::string& path) {
  const toml::table document = ParseToml(text, path);
  TomlTable root(document, path, "the contract");
  if (root.Integer("version", 0) != kFormatVersion)
    root.Fail("version", fmt::format("the contract needs 'version = {}'", kFormatVersion));
  Contract contract;
  contract.path = path;
  contract.digest = HashOf(text);
  contract.roots = root.Strings("roots");
  contract.exclude = root.Strings("exclude");
  contract.cuda_version = static_cast<int>(root.Integer("cuda_version", contract.cuda_version));
  ReadConditions(root, &contract);
  ReadHelpers(root, &contract);
  ReadOwners(root, &contract);
  ReadLifecycle(root, &contract);
  ReadOrders(root, &contract);
  ReadLink(root, &contract);
  ReadRules(root, &contract);
  root.Finish();
  return contract;
}

}  // namespace culprit::inventory
