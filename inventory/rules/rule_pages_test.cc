// SPDX-License-Identifier: Apache-2.0
// Each rule has a page, the page says what the rule says, and the code it shows is code that the
// corpus holds the checker to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "inventory/rules/rule.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {

void PrintTo(const RuleInfo& rule, std::ostream* out) { *out << rule.name; }

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDocs = CULPRIT_INVENTORY_DOCS;
const fs::path kExamples = fs::path(CULPRIT_INVENTORY_TESTDATA) / "rules";

std::set<std::string> RuleNames() {
  std::set<std::string> names;
  for (const RuleInfo& rule : AllRules()) names.emplace(rule.name);
  return names;
}

// Without blanks and without the words that mark a line that must be found.
std::string Essence(const std::string& code) {
  static const std::regex mark(R"(,?\s*want: [a-z-]+)");
  static const std::regex here(R"((/\*|//|#)\s*here\b)");
  static const std::regex blanks(R"(\s+)");
  const std::string unmarked = std::regex_replace(code, mark, "");
  return std::regex_replace(std::regex_replace(unmarked, here, "$1"), blanks, "");
}

// The fenced blocks below the page's heading `section`.
std::vector<std::string> BlocksOf(const std::string& page, const std::string& section) {
  std::vector<std::string> blocks;
  const size_t begin = page.find("\n## " + section + "\n");
  if (begin == std::string::npos) return blocks;
  const size_t end = std::min(page.find("\n## ", begin + 1), page.size());
  for (size_t open = page.find("\n```", begin); open < end;) {
    const size_t code = page.find('\n', open + 1) + 1;
    const size_t close = page.find("\n```", code - 1);
    blocks.push_back(page.substr(code, close - code));
    open = page.find("\n```", close + 1);
  }
  return blocks;
}

std::string AllFilesOf(const fs::path& folder) {
  std::string text;
  for (const std::string& path : WalkFiles(folder, {}, {})) text += ReadFile(folder / path) + "\n";
  return text;
}

class RulePageTest : public testing::TestWithParam<RuleInfo> {
 protected:
  std::string name() const { return std::string(GetParam().name); }
  std::string page() const { return ReadFile(kDocs / "rules" / (name() + ".md")); }

  void ExpectBlocksAreIn(const std::string& section, const std::string& examples) {
    const std::vector<std::string> blocks = BlocksOf(page(), section);
    EXPECT_FALSE(blocks.empty()) << "no code below '" << section << "'";
    const std::string essence = Essence(AllFilesOf(kExamples / name() / examples));
    for (const std::string& block : blocks) EXPECT_THAT(essence, HasSubstr(Essence(block)));
  }
};

TEST_P(RulePageTest, OpensWithTheMeaningAndTheSeverity) {
  EXPECT_THAT(page(), testing::StartsWith(
                          "# " + name() + "\n\n" + std::string(GetParam().meaning) +
                          " Severity: " + std::string(ToString(GetParam().severity)) + ".\n"));
  for (const char* section : {"## Why", "## What to do"}) EXPECT_THAT(page(), HasSubstr(section));
}

TEST_P(RulePageTest, ShowsCodeThatIsFoundAndCodeThatIsNot) {
  ExpectBlocksAreIn("Found", "fails");
  ExpectBlocksAreIn("Accepted", "passes");
}

TEST_P(RulePageTest, StandsInTheListOfRules) {
  EXPECT_THAT(ReadFile(kDocs / "README.md"),
              HasSubstr("| [" + name() + "](rules/" + name() + ".md) | " +
                        std::string(ToString(GetParam().severity)) + " | " +
                        std::string(GetParam().meaning) + " |"));
}

INSTANTIATE_TEST_SUITE_P(Rules, RulePageTest,
                         testing::ValuesIn(std::vector<RuleInfo>(AllRules().begin(),
                                                                 AllRules().end())),
                         [](const auto& test) {
                           return std::regex_replace(std::string(test.param.name), std::regex("-"),
                                                     "_");
                         });

TEST(RulePagesTest, NoPageAndNoExampleIsWithoutItsRule) {
  std::set<std::string> pages, examples;
  for (const auto& entry : fs::directory_iterator(kDocs / "rules"))
    pages.insert(entry.path().stem().string());
  for (const auto& entry : fs::directory_iterator(kExamples))
    examples.insert(entry.path().filename().string());
  EXPECT_EQ(pages, RuleNames());
  EXPECT_EQ(examples, RuleNames());
}

}  // namespace
}  // namespace culprit::inventory
