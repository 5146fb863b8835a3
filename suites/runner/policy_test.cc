// SPDX-License-Identifier: Apache-2.0
//
// The table of rules against what it must agree with: the findings that there are, and the pages.
#include "suites/runner/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace culprit::suites {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDocs = fs::path(CULPRIT_SOURCE_FOLDER) / "docs";

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without the index.
std::set<std::string> PagesIn(const char* folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kDocs / folder)) {
    if (entry.path().stem() != "README") names.insert(entry.path().stem());
  }
  return names;
}

TEST(PolicyTest, EveryPageOfAFindingHasARowAndEveryRowAPage) {
  std::set<std::string> known;
  for (const std::string_view id : KnownFindings()) {
    EXPECT_TRUE(known.emplace(id).second) << id << " has two rows";
  }
  EXPECT_EQ(known, PagesIn("findings"));
}

TEST(PolicyTest, EveryRuleHasAPageThatQuotesItsPromise) {
  std::set<std::string> known;
  for (const PolicyRule& rule : PolicyRules()) {
    known.emplace(rule.id);
    EXPECT_THAT(TextOf(kDocs / "rules" / (std::string(rule.id) + ".md")),
                HasSubstr("**" + std::string(rule.promise) + "**"));
    EXPECT_THAT(TextOf(kDocs / "rules" / "README.md"), HasSubstr(std::string(rule.promise)));
  }
  EXPECT_EQ(known, PagesIn("rules"));
}

TEST(PolicyTest, APageOfAFindingNamesTheRuleThatItBreaks) {
  for (const std::string_view id : KnownFindings()) {
    const PolicyRule* rule = RuleOfFinding(id);
    ASSERT_NE(rule, nullptr) << id << " names a rule that is not in the table";
    EXPECT_THAT(TextOf(kDocs / "findings" / (std::string(id) + ".md")),
                HasSubstr("Rule: [" + std::string(rule->id) + "]"));
  }
}

TEST(PolicyTest, AFindingCanBreakAnotherRuleThanItUsuallyDoes) {
  Finding leak{.id = "leak.event", .message = "", .step = ""};
  EXPECT_EQ(RuleOf(leak)->id, "LEAK-2");
  leak.details["rule"] = "LEAK-1";
  EXPECT_EQ(RuleOf(leak)->id, "LEAK-1");
  EXPECT_EQ(RuleOf({.id = "no.such_finding", .message = "", .step = ""}), nullptr);
}

}  // namespace
}  // namespace culprit::suites
