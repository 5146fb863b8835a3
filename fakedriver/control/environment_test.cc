// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "input/scratch_folder.h"

namespace culprit {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class EnvironmentTest : public ::testing::Test {
 protected:
  struct Outcome {
    int exit_code = -1;
    std::string output;  // stdout and stderr
  };

  Outcome Run(const std::map<std::string, std::string>& environment, int calls = 2,
              const std::string& end = "return") {
    std::string command = "env";
    for (const auto& [name, value] : environment) command += " " + name + "='" + value + "'";
    command += std::string(" " CULPRIT_PROBE " " CULPRIT_FAKE_LIBRARY " ") + std::to_string(calls) +
               " " + end + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    Outcome outcome;
    char buffer[4096];
    while (size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
      outcome.output.append(buffer, count);
    }
    const int status = pclose(pipe);
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    return outcome;
  }

  std::string Path(const std::string& name) const { return folder_ / name; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
  std::string Read(const std::string& path) const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  const ScratchFolder folder_;
};

TEST_F(EnvironmentTest, AReportIsLeftAtExit) {
  const std::string path = Path("report.json");
  EXPECT_EQ(Run({{"CULPRIT_REPORT", path}, {"CULPRIT_PROFILE", "strict"}}, 3, "exit").exit_code, 3);
  const json report = json::parse(Read(path));
  EXPECT_EQ(report.at("calls"), 3);
  EXPECT_EQ(report.at("settings").at("profile"), "strict");
  EXPECT_EQ(report.at("identity").at("real"), false);
}

TEST_F(EnvironmentTest, AProcessThatNeverCalledTheDriverLeavesNone) {
  EXPECT_EQ(Run({{"CULPRIT_REPORT", Path("report.json")}}, 0).exit_code, 0);
  EXPECT_EQ(Files(), 0u);
}

TEST_F(EnvironmentTest, AProcessThatNeverCalledTheDriverLeavesTheReportOfAnotherAlone) {
  const std::string path = Path("report.json");
  EXPECT_EQ(Run({{"CULPRIT_REPORT", path}}, 2).exit_code, 0);
  EXPECT_EQ(Run({{"CULPRIT_REPORT", path}}, 0).exit_code, 0);
  EXPECT_EQ(json::parse(Read(path)).at("calls"), 2);
}

TEST_F(EnvironmentTest, AForkedChildDoesNotOverwriteTheReportOfItsParent) {
  EXPECT_EQ(Run({{"CULPRIT_REPORT", Path("report.json")}}, 2, "fork").exit_code, 0);
  EXPECT_EQ(json::parse(Read(Path("report.json"))).at("calls"), 3);
  EXPECT_EQ(Run({{"CULPRIT_REPORT", Path("by-%p.json")}}, 2, "fork").exit_code, 0);
  EXPECT_EQ(Files(), 3u);
}

TEST_F(EnvironmentTest, AProcessThatSkipsItsExitLeavesAReportThatSaysSo) {
  EXPECT_EQ(Run({{"CULPRIT_REPORT", Path("%p.json")}}, 2, "leave").exit_code, 0);
  ASSERT_EQ(Files(), 1u);
  const json report =
      json::parse(Read(std::filesystem::directory_iterator(folder_.path())->path()));
  EXPECT_EQ(report.at("unfinished"), true);
  EXPECT_EQ(Run({{"CULPRIT_REPORT", Path("%p.json")}}, 0).exit_code, 0);
  EXPECT_EQ(Files(), 1u) << "one that never called the driver still leaves none";
}

TEST_F(EnvironmentTest, AProcessThatAFaultKillsLeavesItsReport) {
  const std::string plan = Write("plan.yaml", "- {entry: cuGetErrorName, nth: 2, kill: true}");
  const std::string path = Path("report.json");
  Run({{"CULPRIT_PLAN", plan}, {"CULPRIT_REPORT", path}}, 3);
  const json report = json::parse(Read(path));
  EXPECT_EQ(report.at("calls"), 2);
  EXPECT_TRUE(report.at("findings").empty());
}

TEST_F(EnvironmentTest, ACallThatNobodyWillUnblockIsAnnounced) {
  const std::string plan = Write("plan.yaml", "- {entry: cuGetErrorName, nth: 2, block: true}");
  const std::string output = Path("output");
  // Ended as soon as it has said so, or else by the limit of this test.
  const std::string command =
      "CULPRIT_PLAN='" + plan + "' " CULPRIT_PROBE " " CULPRIT_FAKE_LIBRARY " 3 return 2>'" +
      output + "' & until grep -q 'nobody lifts it' '" + output + "'; do sleep 0.01; done; kill $!";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(Read(output), HasSubstr("blocks cuGetErrorName, call 2"));
}

TEST_F(EnvironmentTest, APlanIsInForceFromTheFirstCall) {
  const std::string plan = Write("plan.yaml",
                                 "- {entry: cuGetErrorName, nth: 1, before: 700}\n"
                                 "- {entry: cuGetErrorName, nth: 50, before: 700}\n");
  const std::string path = Path("report.json");
  EXPECT_EQ(Run({{"CULPRIT_PLAN", plan}, {"CULPRIT_REPORT", path}}).output, "700\n0\n");
  const json report = json::parse(Read(path));
  ASSERT_THAT(report.at("unfired_faults"), SizeIs(1));
  EXPECT_EQ(report.at("findings").at(0).at("rule"), "fault.not_fired");
  EXPECT_EQ(report.at("findings").at(0).at("object"), plan + ":2");
}

TEST_F(EnvironmentTest, ATraceHasALinePerCall) {
  const std::string path = Path("trace.jsonl");
  Run({{"CULPRIT_TRACE", path}}, 2);
  std::istringstream lines(Read(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(json::parse(line).at("culprit_trace"), 1);
  for (int n = 1; n <= 2; ++n) {
    ASSERT_TRUE(std::getline(lines, line));
    const json call = json::parse(line);
    EXPECT_EQ(call.at("seq"), n);
    EXPECT_EQ(call.at("entry"), "cuGetErrorName");
    EXPECT_EQ(call.at("args").at("error"), "CUDA_SUCCESS");
    EXPECT_EQ(call.at("out").at("pStr"), "CUDA_SUCCESS");
    EXPECT_EQ(call.at("result"), "CUDA_SUCCESS");
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(EnvironmentTest, MistakesEndTheProcessAndAreNamed) {
  const auto refused = [&](const char* name, const std::string& value) {
    const Outcome outcome = Run({{name, value}});
    EXPECT_EQ(outcome.exit_code, 2) << name;
    return outcome.output;
  };
  EXPECT_THAT(refused("CULPRIT_PROFILE", "r5"), HasSubstr("culprit: CULPRIT_PROFILE: must be"));
  EXPECT_THAT(refused("CULPRIT_POLICY", "late"), HasSubstr("culprit: CULPRIT_POLICY: must be"));
  EXPECT_THAT(refused("CULPRIT_SETTINGS", "{"), HasSubstr("culprit: CULPRIT_SETTINGS: "));
  EXPECT_THAT(refused("CULPRIT_TRACE", "/no/such/folder/t"), HasSubstr("No such file"));
  EXPECT_THAT(refused("CULPRIT_TRACE", "/dev/full"), HasSubstr("/dev/full: No space left"));
  EXPECT_THAT(refused("CULPRIT_PLAN", Path("none.yaml")), HasSubstr("cannot be read"));
  EXPECT_THAT(refused("CULPRIT_PLAN", folder_.path()), HasSubstr("cannot be read"));
  EXPECT_THAT(refused("CULPRIT_PLAN", Write("bad.yaml", "- {any: true}")),
              HasSubstr("bad.yaml:1:3: plan.meaning: "));
  const std::string report = Path("report.json");
  Run({{"CULPRIT_PROFILE", "r5"}, {"CULPRIT_REPORT", report}});
  EXPECT_THAT(json::parse(Read(report)).at("refused"), HasSubstr("CULPRIT_PROFILE: must be"));
}

}  // namespace
}  // namespace culprit
