// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "inventory/report/machine.h"
#include "inventory/report/patch.h"
#include "inventory/report/printable.h"
#include "inventory/report/sarif.h"
#include "inventory/report/terminal.h"
#include "inventory/scan/file_walk.h"
#include "inventory/testing/source_tree.h"

// valijson's adapter needs the library it adapts first.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace culprit::inventory {
namespace {

using testing::HasSubstr;

constexpr char kSource[] =
    "int close_all(struct owner *o, void *lib) {\n"
    "\tint err = 0;\n"
    "\terr |= o->f->cuModuleUnload(o->m);  /* \xc3\xa9 */\n"
    "\to->free = dlsym(lib, \"cuMemFree\");\n"
    "\tcuCtxSynchronize(); // culprit: allow(result-ignored): the process ends here\n"
    "\treturn err;\n"
    "}\n";

Report ReportOf(const Tree& tree) { return CheckTree(tree, Contract{}); }

Tree ExampleTree() { return TreeOf({{"src/a b.c", kSource}}); }

testing::AssertionResult IsValid(const nlohmann::json& document, const std::string& schema_path) {
  const auto schema_document = nlohmann::json::parse(ReadFile(schema_path));
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft4)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::ValidationResults results;
  const valijson::adapters::NlohmannJsonAdapter target(document);
  if (valijson::Validator().validate(schema, target, &results)) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure();
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) failure << step;
    failure << ": " << error.description << "\n";
  }
  return failure;
}

TEST(SarifTest, FollowsTheOfficialSchema) {
  EXPECT_TRUE(IsValid(ToSarif(ReportOf(ExampleTree())), CULPRIT_SARIF_SCHEMA));
}

TEST(SarifTest, TheSchemaCheckItselfNoticesADefect) {
  auto sarif = ToSarif(ReportOf(ExampleTree()));
  sarif["runs"][0]["results"][0]["level"] = "fatal";
  EXPECT_FALSE(IsValid(sarif, CULPRIT_SARIF_SCHEMA));
}

TEST(SarifTest, SuppressedFindingsAreMarkedAndKept) {
  const auto sarif = ToSarif(ReportOf(ExampleTree()));
  const auto& results = sarif["runs"][0]["results"];
  const auto suppressed = std::find_if(results.begin(), results.end(), [](const auto& result) {
    return result.contains("suppressions");
  });
  ASSERT_NE(suppressed, results.end());
  EXPECT_EQ((*suppressed)["ruleId"], "result-ignored");
  EXPECT_EQ((*suppressed)["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ((*suppressed)["suppressions"][0]["justification"], "the process ends here");
}

TEST(SarifTest, PathsAreUris) {
  const auto sarif = ToSarif(ReportOf(ExampleTree()));
  EXPECT_EQ(
      sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "src/a%20b.c");
}

TEST(FingerprintTest, SurvivesLinesThatMoveAndCodeElsewhere) {
  const Report before = ReportOf(TreeOf({{"a.c", kSource}}));
  const Report after =
      ReportOf(TreeOf({{"a.c", std::string("int other(void) { return 1; }\n\n") + kSource}}));
  ASSERT_EQ(before.findings.size(), after.findings.size());
  for (size_t i = 0; i < before.findings.size(); ++i) {
    EXPECT_EQ(before.findings[i].fingerprint, after.findings[i].fingerprint);
    EXPECT_NE(before.findings[i].where.begin.line, after.findings[i].where.begin.line);
  }
}

TEST(FingerprintTest, EqualLinesAreToldApart) {
  const Report report =
      ReportOf(TreeOf({{"a.c", "int f(void) {\n  cuInit(0);\n  cuInit(0);\n  return 0;\n}\n"}}));
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_NE(report.findings[0].fingerprint, report.findings[1].fingerprint);
}

TEST(TerminalTest, CaretsStandBelowWhatTheyMean) {
  std::ostringstream out;
  WriteTerminal(ReportOf(ExampleTree()), {}, out);
  EXPECT_THAT(out.str(), HasSubstr("src/a b.c:3:15: error: raw teardown: cuModuleUnload"));
  EXPECT_THAT(out.str(), HasSubstr("     3 |  err |= o->f->cuModuleUnload(o->m);"));
  EXPECT_THAT(out.str(), HasSubstr("\n       |               ^^^^^^^^^^^^^^\n"));
}

TEST(TerminalTest, OfAnEndlessLineThePlaceIsShown) {
  std::ostringstream out;
  WriteTerminal(ReportOf(TreeOf(
                    {{"a.c", "int f(void) { int \xc3\xa9; " + std::string(9000, ' ') +
                                 "return cuModuleUnload(m); " + std::string(9000, 'x') + ";}\n"}})),
                {}, out);
  EXPECT_THAT(out.str(), HasSubstr("a.c:1:9029: error: raw teardown"));
  EXPECT_THAT(out.str(), HasSubstr("return cuModuleUnload(m); xxx"));
  EXPECT_THAT(out.str(), HasSubstr("|" + std::string(101, ' ') + "^^^^^^^^^^^^^^\n"));
  EXPECT_LT(out.str().size(), 1500u);
}

TEST(PrintableTest, LeavesTextAndReplacesTheRest) {
  EXPECT_EQ(Printable("int \xc3\xa9;\t// \xf0\x9f\x98\x80"), "int \xc3\xa9; // \xf0\x9f\x98\x80");
  EXPECT_EQ(Printable("a\x1b[2Jb\x7f"), "a\xEF\xBF\xBD[2Jb\xEF\xBF\xBD");
  EXPECT_EQ(Printable("\xff\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Printable("\xef\xbf\xbe"), "\xEF\xBF\xBD");
  EXPECT_EQ(Printable("\xe2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(JunitTest, HasACaseForEachFindingAndEachCleanRule) {
  std::ostringstream out;
  const Report report = ReportOf(ExampleTree());
  WriteJunit(report, out);
  EXPECT_THAT(
      out.str(),
      HasSubstr("<testcase classname=\"inventory.context-imbalance\" name=\"no new findings\"/>"));
  EXPECT_THAT(out.str(), HasSubstr("name=\"src/a b.c:3:15\""));
  EXPECT_THAT(out.str(), HasSubstr("<skipped message=\"the process ends here\"/>"));
}

TEST(GithubTest, EscapesPropertiesAndShowsNewFindingsOnly) {
  std::ostringstream out;
  WriteGithub(ReportOf(TreeOf({{"a,b.c", "int f(void) { return cuModuleUnload(0); }\n"}})), out);
  EXPECT_THAT(
      out.str(),
      testing::StartsWith("::error file=a%2Cb.c,line=1,col=22,endColumn=36,title=raw-teardown::"));
}

TEST(JsonTest, ListsOwnersAndBalance) {
  const Tree tree =
      TreeOf({{"a.c", "int init(struct s *s) { return cuModuleLoadData(&s->module, ptx); }\n"}});
  const auto json = ToJson(CheckTree(tree, Contract{}), Contract{});
  EXPECT_EQ(json["format"], "culprit.inventory/1");
  EXPECT_EQ(json["owners"][0]["field"], "module");
  EXPECT_EQ(json["balance"][0]["object"], "CUmodule");
  EXPECT_EQ(json["balance"][0]["released"], 0);
}

TEST(PatchTest, MakesTheFixesThatPatchWouldMake) {
  const Tree tree = TreeOf({{"a.c", kSource}});
  const std::string patch = PatchOf(ReportOf(tree), tree);
  EXPECT_THAT(patch, testing::StartsWith("--- a/a.c\n+++ b/a.c\n@@ -1,7 +1,7 @@\n"));
  EXPECT_THAT(patch, HasSubstr("+\to->free = dlsym(lib, \"cuMemFree_v2\");\n"));
  EXPECT_THAT(patch, HasSubstr("+\t{ const int next_result = o->f->cuModuleUnload(o->m); if (!err) "
                               "err = next_result; }"));
}

TEST(PatchTest, DistantChangesAreSeparateHunks) {
  std::string before, after;
  for (int i = 0; i < 30; ++i) {
    before += "line " + std::to_string(i) + "\n";
    after += i == 2 || i == 25 ? "new\n" : "line " + std::to_string(i) + "\n";
  }
  const std::string diff = UnifiedDiff("x", before, after);
  EXPECT_THAT(diff, HasSubstr("@@ -1,6 +1,6 @@\n"));
  EXPECT_THAT(diff, HasSubstr("@@ -23,7 +23,7 @@\n"));
}

}  // namespace
}  // namespace culprit::inventory
