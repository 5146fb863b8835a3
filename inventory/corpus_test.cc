// SPDX-License-Identifier: Apache-2.0
// Each folder below testdata/ that holds an inventory.toml is a case: a source tree of its own, in
// which every line that must be found carries a mark, `want: rule-id`, in a comment. Nothing else
// may be found. So the corpus shows what the checker finds and what it must leave alone in one
// place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/report/finding_json.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;

const fs::path kTestData = CULPRIT_INVENTORY_TESTDATA;

std::vector<std::string> Cases() {
  std::vector<std::string> cases;
  for (const std::string& path : WalkFiles(kTestData, {"**/inventory.toml"}, {})) {
    cases.push_back(fs::path(path).parent_path().generic_string());
  }
  return cases;
}

// "file:line rule" for each mark; a line may carry several.
std::multiset<std::string> Marks(const fs::path& root) {
  std::multiset<std::string> marks;
  for (const std::string& path : WalkFiles(root, {}, {})) {
    std::istringstream lines(ReadFile(root / path));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      for (size_t at = line.find("want: "); at != std::string::npos;
           at = line.find("want: ", at + 1)) {
        const size_t begin = at + 6;
        const std::string rule = line.substr(
            begin, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin) - begin);
        marks.insert(path + ":" + std::to_string(number) + " " + rule);
      }
    }
  }
  return marks;
}

std::multiset<std::string> Found(const fs::path& root) {
  const Contract contract = ParseContract(ReadFile(root / "inventory.toml"), "inventory.toml");
  std::multiset<std::string> found;
  for (const Finding& finding : CheckTree(ReadTree(root, contract), contract).findings) {
    if (finding.standing != Standing::kNew) continue;
    found.insert(finding.where.path + ":" + std::to_string(finding.where.begin.line) + " " +
                 std::string(InfoOf(finding.rule).name));
  }
  return found;
}

class InventoryCorpusTest : public testing::TestWithParam<std::string> {};

TEST_P(InventoryCorpusTest, FindsExactlyTheMarkedLines) {
  const fs::path root = kTestData / GetParam();
  EXPECT_THAT(Found(root), testing::ElementsAreArray(Marks(root)));
}

// Everything a report says of its findings.
std::vector<std::string> Told(const fs::path& root, Extent extent) {
  const Contract contract = ParseContract(ReadFile(root / "inventory.toml"), "inventory.toml");
  CheckOptions options;
  options.extent = extent;
  std::vector<std::string> told;
  for (const Finding& finding : CheckTree(ReadTree(root, contract), contract, options).findings)
    told.push_back(nlohmann::json(finding).dump());
  return told;
}

// Only declarations in which a rule could find something are parsed.
TEST_P(InventoryCorpusTest, ParsingEverythingFindsTheSame) {
  const fs::path root = kTestData / GetParam();
  EXPECT_EQ(Told(root, Extent::kWhereItMatters), Told(root, Extent::kEverything));
}

INSTANTIATE_TEST_SUITE_P(Corpus, InventoryCorpusTest, testing::ValuesIn(Cases()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(InventoryCorpusTest, EveryRuleHasAFailingAndAPassingExample) {
  for (const RuleInfo& rule : AllRules()) {
    const fs::path folder = kTestData / "rules" / rule.name;
    ASSERT_TRUE(fs::exists(folder / "fails" / "inventory.toml")) << rule.name;
    ASSERT_TRUE(fs::exists(folder / "passes" / "inventory.toml")) << rule.name;
    const auto marks = Marks(folder / "fails");
    EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
      return mark.ends_with(" " + std::string(rule.name));
    })) << rule.name;
    EXPECT_THAT(Marks(folder / "passes"), testing::IsEmpty()) << rule.name;
  }
}

}  // namespace
}  // namespace culprit::inventory
