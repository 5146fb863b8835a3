// SPDX-License-Identifier: Apache-2.0
#include "inventory/contract/contract_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "inventory/contract/contract_writer.h"

namespace culprit::inventory {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    ParseContract(text, "inventory.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ContractReaderTest, ReadsEveryTable) {
  const Contract contract = ParseContract(R"(
version = 1
roots = ["src/**"]
cuda_version = 12040
[conditions]
undefined = ["OLD"]
[[helper]]
name = "Module::Unload"
file = "src/module.cc"
releases = ["cuModuleUnload"]
[[loader]]
file = "src/entries.def"
[context]
push = ["Enter"]
pop = ["Leave"]
[owners]
object = "CUmodule"
[[owners.type]]
name = "Module"
close = "Close"
[[owner]]
file = "src/motion.cc"
fields = ["module_"]
[lifecycle]
init = ["Init*"]
close = ["Close*"]
failed_init = "closed_by_caller"
[callbacks]
type = "Extractor"
required = ["close"]
[[order]]
function = "Init"
before = "a"
after = "b"
[[forbidden]]
name = "free_now"
reason = "legacy"
[link]
libraries = ["vmaf"]
[[link.verified]]
file = "Makefile"
reason = "checked there"
[rules]
result-ignored = "error"
)",
                                          "inventory.toml");
  ASSERT_EQ(contract.helpers.size(), 1u);
  EXPECT_EQ(contract.helpers[0].name, "Module::Unload");
  EXPECT_THAT(contract.helpers[0].releases, testing::ElementsAre("cuModuleUnload"));
  EXPECT_EQ(contract.owner_types[0].close, "Close");
  EXPECT_THAT(contract.owners[0].fields, testing::ElementsAre("module_"));
  EXPECT_EQ(contract.owners[0].line, 21u);
  EXPECT_EQ(contract.failed_init, FailedInit::kClosedByCaller);
  EXPECT_EQ(contract.cuda_version, 12040);
  EXPECT_EQ(contract.severities.at(RuleId::kResultIgnored), Severity::kError);
  EXPECT_TRUE(contract.owners_declared);
}

TEST(ContractReaderTest, NamesThePlaceAndTheKnownKeysOfAnUnknownKey) {
  EXPECT_EQ(ErrorOf("version = 1\n[[helper]]\nnam = 'x'\nname = 'y'\n"),
            "inventory.toml:3:7: unknown key 'nam' in [[helper]]; known: file, name, releases");
}

TEST(ContractReaderTest, RefusesAnEntryThatTheDriverDoesNotHave) {
  EXPECT_EQ(ErrorOf("version = 1\n[[helper]]\nname = 'x'\nreleases = ['cuModuleUnlod']\n"),
            "inventory.toml:4:12: 'cuModuleUnlod' is no entry of the driver API");
}

TEST(ContractReaderTest, RefusesAnUnknownRuleOrSeverity) {
  EXPECT_THAT(ErrorOf("version = 1\n[rules]\nraw = 'off'\n"),
              testing::HasSubstr("there is no rule 'raw'"));
  EXPECT_THAT(ErrorOf("version = 1\n[rules]\nraw-teardown = 'maybe'\n"),
              testing::HasSubstr("must be \"error\""));
}

TEST(ContractReaderTest, RefusesAWrongType) {
  EXPECT_EQ(ErrorOf("version = 1\nroots = 'src'\n"),
            "inventory.toml:2:9: 'roots' in the contract must be a list of strings");
}

TEST(ContractReaderTest, RefusesAnotherVersion) {
  EXPECT_THAT(ErrorOf("roots = []\n"), testing::HasSubstr("needs 'version = 1'"));
}

TEST(ContractReaderTest, NamesThePlaceOfASyntaxError) {
  EXPECT_THAT(ErrorOf("version = \n"), testing::StartsWith("inventory.toml:1:"));
}

TEST(ContractWriterTest, WhatItWritesCanBeRead) {
  ContractDraft draft;
  draft.teardowns = {{"unload_module", "a.c", {"cuModuleUnload"}, true},
                     {"close_all", "b.c", {"cuMemFree"}, false}};
  draft.unbalanced = {{"enter", "c.c", true}};
  draft.owners = {{"motion \"x\".c", {"module", "other"}}};
  const Contract contract = ParseContract(WriteContract(draft), "draft");
  ASSERT_EQ(contract.helpers.size(), 1u);
  EXPECT_EQ(contract.helpers[0].name, "unload_module");
  EXPECT_EQ(contract.owners[0].file, "motion \"x\".c");
  EXPECT_THAT(contract.push_helpers, testing::IsEmpty()) << "a person has to name it";
}

}  // namespace
}  // namespace culprit::inventory
