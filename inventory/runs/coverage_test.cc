// SPDX-License-Identifier: Apache-2.0
#include "inventory/runs/coverage.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "inventory/scan/file_walk.h"
#include "inventory/testing/source_tree.h"

// valijson's adapter needs the library it adapts first.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace culprit::inventory {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kModule[] =
    "int unload(struct s *s) {\n"
    "  return s->f->cuModuleUnload(\n"
    "      s->module);\n"
    "}\n"
    "int drop(struct s *s) { return cuModuleUnload(s->other); }\n";
constexpr char kStream[] =
    "#define RUN(call, ...) call(__VA_ARGS__)\n"
    "int rest(struct s *s) {\n"
    "  RUN(cuStreamDestroy, s->stream);\n"
    "  s->later = s->f->cuMemFree;\n"
    "  return run_later(cuEventDestroy, s->event);\n"
    "}\n";

std::vector<FileFacts> Facts() {
  return CheckTree(TreeOf({{"cuda/module.c", kModule}, {"cuda/stream.c", kStream}}), Contract{})
      .files;
}

std::string Sites(const std::string& sites) {
  return R"({"schema": "culprit.sites/1", "sites": [)" + sites + "]}";
}

std::string Site(const std::string& entry, const std::string& file, int line,
                 const std::string& function, int runs = 1) {
  return fmt::format(
      R"({{"entry": "{}", "file": "{}", "line": {}, "function": "{}", "runs": {}, "failed": 0, "retried": 0}})",
      entry, file, line, function, runs);
}

// "file:line entry runs" for each site.
std::vector<std::string> Runs(const std::string& sites) {
  std::vector<std::string> lines;
  for (const CoveredSite& covered :
       CoverageOf(Facts(), ParseRunSites(Sites(sites), "sites.json")).sites)
    lines.push_back(fmt::format("{}:{} {} {}", covered.site.where.path,
                                covered.site.where.begin.line, covered.site.entry, covered.runs));
  return lines;
}

std::string ErrorOf(const std::string& text) {
  try {
    ParseRunSites(text, "sites.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CoverageTest, WithoutRunsEverySiteThatCallsIsListedAsNeverRun) {
  EXPECT_THAT(Runs(""),
              ElementsAre("cuda/module.c:2 cuModuleUnload 0", "cuda/module.c:5 cuModuleUnload 0",
                          "cuda/stream.c:3 cuStreamDestroy 0"));
}

TEST(CoverageTest, APathMayBeLongerOrShorterAndTheEntryVersioned) {
  EXPECT_THAT(Runs(Site("cuModuleUnload", "/home/user/src/cuda/module.c", 2, "", 3) + "," +
                   Site("cuStreamDestroy_v2", "stream.c", 3, "", 4)),
              ElementsAre("cuda/module.c:2 cuModuleUnload 3", "cuda/module.c:5 cuModuleUnload 0",
                          "cuda/stream.c:3 cuStreamDestroy 4"));
}

TEST(CoverageTest, AnyLineOfTheStatementWillDo) {
  EXPECT_THAT(Runs(Site("cuModuleUnload", "cuda/module.c", 3, "")),
              testing::Contains("cuda/module.c:2 cuModuleUnload 1"));
}

TEST(CoverageTest, AStaleLineFallsBackToTheFunction) {
  EXPECT_THAT(
      Runs(Site("cuModuleUnload", "cuda/module.c", 90, "n::(anonymous namespace)::drop<int>(s*)")),
      testing::Contains("cuda/module.c:5 cuModuleUnload 1"));
}

TEST(CoverageTest, ACallThroughAWrapperIsFoundAtTheLineThatAskedForIt) {
  EXPECT_THAT(
      Runs(R"({"entry": "cuModuleUnload", "file": "driver/call.h", "line": 9, "function": "Call",
               "runs": 2, "failed": 0, "retried": 0,
               "callers": [{"file": "driver/call.h", "line": 30, "function": "Checked"},
                           {"file": "cuda/module.c", "line": 5, "function": "drop"}]})"),
      testing::Contains("cuda/module.c:5 cuModuleUnload 2"));
}

TEST(CoverageTest, CallsFromElsewhereAreReportedAndOtherEntriesAreNot) {
  const Coverage coverage = CoverageOf(
      Facts(), ParseRunSites(Sites(Site("cuModuleUnload", "lib/module.c", 2, "unload") + "," +
                                   Site("cuMemAlloc", "lib/module.c", 2, "unload")),
                             "sites.json"));
  ASSERT_EQ(coverage.unknown.size(), 1u);
  EXPECT_EQ(coverage.unknown[0].frames[0].file, "lib/module.c");
}

TEST(CoverageTest, TheTableNamesWhatIsLacking) {
  const std::string site =
      R"({"entry": "cuModuleUnload", "file": "cuda/module.c", "line": 2, "function": "unload", "runs": 5, "failed": 2, "retried": 0},)"
      R"({"entry": "cuModuleUnload", "file": "cuda/module.c", "line": 5, "function": "drop", "runs": 5, "failed": 2, "retried": 1})";
  const Coverage coverage = CoverageOf(Facts(), ParseRunSites(Sites(site), "sites.json"));
  std::ostringstream out;
  WriteCoverage(coverage, out);
  EXPECT_THAT(out.str(), HasSubstr("never retried"));
  EXPECT_THAT(out.str(), HasSubstr("never run"));
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("cuda/module.c:5")));
  EXPECT_THAT(out.str(), HasSubstr("3 teardown sites: 2 run, 2 failed, 1 retried\n"));
  const auto json = ToJson(coverage);
  EXPECT_EQ(json["sites"][0]["failed"], 2);
  EXPECT_EQ(json["sites"][2]["entry"], "cuStreamDestroy");
  EXPECT_THAT(json["unknown"], IsEmpty());
}

// What is read here is what certificates are written by.
TEST(RunSitesTest, TheSampleFollowsTheSchema) {
  const auto schema_document = nlohmann::json::parse(ReadFile(CULPRIT_SITES_SCHEMA));
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  const auto follows = [&](const std::string& text) {
    const auto document = nlohmann::json::parse(text);
    const valijson::adapters::NlohmannJsonAdapter target(document);
    return valijson::Validator().validate(schema, target, nullptr);
  };
  EXPECT_TRUE(follows(Sites(Site("cuModuleUnload", "a.c", 1, "f"))));
  EXPECT_FALSE(follows(R"({"schema": "culprit.sites/2", "sites": []})"));
}

TEST(RunSitesTest, ErrorsNameThePlace) {
  EXPECT_EQ(ErrorOf("{\n\n!"), "sites.json:3: not JSON");
  EXPECT_EQ(ErrorOf("[]"), "sites.json: the file must be an object");
  EXPECT_EQ(ErrorOf(R"({"schema": "other/1"})"),
            "sites.json: the schema must be \"culprit.sites/1\"");
  EXPECT_EQ(ErrorOf(R"({"schema": "culprit.sites/1", "sites": {}})"),
            "sites.json: the file needs 'sites', a list");
  EXPECT_EQ(ErrorOf(Sites(Site("cuModuleUnlod", "a.c", 1, "f"))),
            "sites.json: site 1: 'cuModuleUnlod' is no entry of the driver API");
  EXPECT_EQ(ErrorOf(Sites(R"({"entry": "cuMemFree", "file": "a.c", "line": -1})")),
            "sites.json: site 1 needs 'line', a number from 0 to 4294967295");
  EXPECT_EQ(
      ErrorOf(Sites(
          R"({"entry": "cuMemFree", "file": "a.c", "line": 1, "function": "", "runs": "2"})")),
      "sites.json: site 1 needs 'runs', a number from 0");
}

}  // namespace
}  // namespace culprit::inventory
