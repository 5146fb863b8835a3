// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "input/scratch_folder.h"
#include "inventory/suppress/apply.h"
#include "inventory/testing/source_tree.h"

namespace culprit::inventory {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kTeardown[] = "int f(CUmodule m) { return cuModuleUnload(m); }";

CheckOptions On(const std::string& today, Baseline baseline = {}) {
  CheckOptions options;
  options.today = today;
  options.baseline = std::move(baseline);
  return options;
}

std::vector<std::string> Check(const std::string& source, const CheckOptions& options = {}) {
  return NewFindings(CheckTree(TreeOf({{"a.c", source}}), Contract{}, options));
}

Baseline BaselineOf(const std::string& source, const std::string& expires) {
  const Report report = CheckTree(TreeOf({{"a.c", source}}), Contract{});
  return ParseBaseline(WriteBaseline(report.findings, {}, "known", expires), "base.json");
}

TEST(InlineSuppressionTest, CoversItsOwnLine) {
  EXPECT_THAT(Check(std::string(kTeardown) + " // culprit: allow(raw-teardown): a sample\n"),
              IsEmpty());
}

TEST(InlineSuppressionTest, StandingAloneItCoversTheNextLineOfCode) {
  EXPECT_THAT(
      Check("// culprit: allow(raw-teardown): a sample\n\n" + std::string(kTeardown) + "\n"),
      IsEmpty());
}

TEST(InlineSuppressionTest, CoversOnlyTheRulesItNames) {
  EXPECT_THAT(Check(std::string(kTeardown) + " // culprit: allow(local-handle): a sample\n"),
              ElementsAre("a.c:1 raw-teardown", "a.c:1 unused-suppression"));
}

TEST(InlineSuppressionTest, NeedsAReason) {
  EXPECT_THAT(Check(std::string(kTeardown) + " // culprit: allow(raw-teardown)\n"),
              ElementsAre("a.c:1 raw-teardown", "a.c:1 unused-suppression"));
}

TEST(InlineSuppressionTest, Expires) {
  const std::string source =
      std::string(kTeardown) + " // culprit: allow(raw-teardown) until 2027-01-31: to be moved\n";
  EXPECT_THAT(Check(source, On("2027-01-31")), IsEmpty());
  EXPECT_THAT(Check(source, On("2027-02-01")),
              ElementsAre("a.c:1 raw-teardown", "a.c:1 unused-suppression"));
}

TEST(InlineSuppressionTest, AnUnknownRuleIsReported) {
  EXPECT_THAT(Check("int x; // culprit: allow(raw-teardwn): typing\n"),
              ElementsAre("a.c:1 unused-suppression"));
}

TEST(BaselineTest, AcceptsWhatItListsAndNothingElse) {
  const Baseline baseline = BaselineOf(kTeardown, "");
  EXPECT_THAT(Check(kTeardown, On("2027-01-01", baseline)), IsEmpty());
  EXPECT_THAT(Check(std::string(kTeardown) + "\nint g(void* p) { return cuMemFreeHost(p); }\n",
                    On("2027-01-01", baseline)),
              ElementsAre("a.c:2 raw-teardown"));
}

TEST(BaselineTest, EntriesExpire) {
  EXPECT_THAT(Check(kTeardown, On("2027-02-01", BaselineOf(kTeardown, "2027-01-31"))),
              ElementsAre("a.c:1 raw-teardown", "base.json:5 unused-suppression"));
}

TEST(BaselineTest, EntriesThatMatchNothingAreReported) {
  EXPECT_THAT(Check("int x;\n", On("2027-01-01", BaselineOf(kTeardown, ""))),
              ElementsAre("base.json:5 unused-suppression"));
}

TEST(BaselineTest, RefusesWhatItCannotUse) {
  EXPECT_THROW(ParseBaseline("[", "b"), InputError);
  EXPECT_THROW(ParseBaseline("{}", "b"), InputError);
  EXPECT_THROW(ParseBaseline(R"({"version":1,"entries":[{"fingerprint":"x"}]})", "b"), InputError);
  EXPECT_THROW(
      ParseBaseline(
          R"({"version":1,"entries":[{"fingerprint":"x","reason":"y","expires":"soon"}]})", "b"),
      InputError);
}

TEST(CacheTest, AnUnchangedFileIsRecalledWithTheSameFindings) {
  const ScratchFolder folder;
  CheckOptions options;
  options.cache_folder = folder / "cache";
  const std::string other = "int g(void* p) { return cuMemFreeHost(p); }\n";
  const Report first = CheckTree(TreeOf({{"a.c", kTeardown}, {"b.c", other}}), Contract{}, options);
  const Report second =
      CheckTree(TreeOf({{"a.c", kTeardown}, {"b.c", other + "int h;\n"}}), Contract{}, options);
  EXPECT_EQ(first.from_cache, 0u);
  EXPECT_EQ(second.from_cache, 1u);
  EXPECT_EQ(NewFindings(first), NewFindings(second));
  ASSERT_EQ(first.findings.size(), second.findings.size());
  EXPECT_EQ(first.findings[0].fingerprint, second.findings[0].fingerprint);
}

TEST(CacheTest, AMacroThatChangesElsewhereMakesItsUsersStale) {
  const ScratchFolder folder;
  CheckOptions options;
  options.cache_folder = folder / "cache";
  const std::string user = "int f(CUmodule m) { DROP(m); return 0; }\n";
  CheckTree(TreeOf({{"a.c", user}, {"a.h", "#define DROP(m) (void)m\n"}}), Contract{}, options);
  const Report report = CheckTree(
      TreeOf({{"a.c", user}, {"a.h", "#define DROP(m) cuModuleUnload(m)\n"}}), Contract{}, options);
  EXPECT_THAT(NewFindings(report), ElementsAre("a.c:1 raw-teardown", "a.h:1 raw-teardown"));
}

}  // namespace
}  // namespace culprit::inventory
