// SPDX-License-Identifier: Apache-2.0
//
// The harness is tested by what it catches: each mutant of the reference must fail the suite that
// it names, with the finding that it names, and leave a replay file that reproduces it. That the
// correct subjects pass the same suites is the business of the certify tests.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "input/scratch_folder.h"
#include "input/text_file.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

struct Mutant {
  std::string name;
  std::string suite;
  std::string finding;
};
void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

std::vector<Mutant> AllMutants() {
  std::vector<Mutant> mutants;
  for (const YAML::Node& node : YAML::LoadFile(CULPRIT_MUTANTS_YAML)) {
    mutants.push_back({node["name"].as<std::string>(), node["caught_by"]["suite"].as<std::string>(),
                       node["caught_by"]["finding"].as<std::string>()});
  }
  return mutants;
}

int Shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool HasError(const nlohmann::json& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(), [&](const nlohmann::json& finding) {
    return finding.at("id") == id && finding.at("severity") == "error";
  });
}

class EveryMutant : public testing::TestWithParam<Mutant> {};

TEST_P(EveryMutant, IsCaughtByItsSuiteForItsReasonAndReplayed) {
  const Mutant& mutant = GetParam();
  const ScratchFolder folder;
  const fs::path report = folder / "report";
  const std::string port =
      fmt::format("{}/libculprit_mutant_{}.so", CULPRIT_MUTANTS_FOLDER, mutant.name);
  EXPECT_EQ(
      Shell(fmt::format(
          "{} certify {} --suite {} --stop-at {} --minimize 0 --report {} > {}.txt 2>&1",
          CULPRIT_COMMAND, port, mutant.suite, mutant.finding, report.string(), report.string())),
      1)
      << ReadTextFile(report.string() + ".txt");

  std::ifstream file(report / "certificate.json");
  const auto certificate = nlohmann::json::parse(file);
  const auto& failures = certificate.at("failures");
  const auto caught = std::find_if(failures.begin(), failures.end(), [&](const auto& failure) {
    return HasError(failure.at("findings"), mutant.finding);
  });
  ASSERT_NE(caught, failures.end())
      << "no finding " << mutant.finding << " among " << failures.size() << " failures";

  const fs::path replay = report / caught->at("replay").template get<std::string>();
  const fs::path again = report / "again.json";
  EXPECT_EQ(Shell(fmt::format("{} replay {} --json > {}", CULPRIT_COMMAND, replay.string(),
                              again.string())),
            1);
  std::ifstream replayed(again);
  EXPECT_TRUE(
      HasError(nlohmann::json::parse(replayed).at("result").at("findings"), mutant.finding));
}

// Which edges there are does not depend on when work runs. Suites run under the eager policy unless
// they say otherwise.
TEST(MutantOfTheStreamOrderTest, IsNamedUnderEveryPolicy) {
  const std::string port =
      fmt::format("{}/libculprit_mutant_upload_not_awaited.so", CULPRIT_MUTANTS_FOLDER);
  for (const auto& [policy, suite] :
       {std::pair{"eager", "public_close"}, std::pair{"timed", "stream_quiescence"},
        std::pair{"lazy", "stream_quiescence"}, std::pair{"random", "stream_quiescence"}}) {
    SCOPED_TRACE(policy);
    const ScratchFolder folder;
    const fs::path report = folder / "report";
    EXPECT_EQ(
        Shell(fmt::format("{} certify {} --suite {} --policy {} --stop-at "
                          "memory.race_between_streams --minimize 0 --report {} > {}.txt 2>&1",
                          CULPRIT_COMMAND, port, suite, policy, report.string(), report.string())),
        1);
    std::ifstream file(report / "certificate.json");
    const auto failures = nlohmann::json::parse(file).at("failures");
    EXPECT_TRUE(std::any_of(failures.begin(), failures.end(), [&](const auto& failure) {
      return HasError(failure.at("findings"), "memory.race_between_streams");
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, EveryMutant, testing::ValuesIn(AllMutants()),
                         [](const testing::TestParamInfo<Mutant>& mutant) {
                           return mutant.param.name;
                         });

}  // namespace
}  // namespace culprit::tools
