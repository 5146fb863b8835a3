// SPDX-License-Identifier: Apache-2.0
//
// `culprit replay` of what does not fail each time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/culprit/testing/command.h"
#include "tools/culprit/testing/replays.h"

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A case of a correct port, recorded with a finding that never comes.
nlohmann::json ReplayOfNothing(uint32_t threads) {
  nlohmann::json replay = ReplayOfTinyPort();
  replay["settings"]["threads"] = threads;
  replay["findings"] =
      nlohmann::json::array({{{"id", "leak.module"}, {"severity", "error"}, {"message", ""}}});
  return replay;
}

// A program that exits with 3 when it is started for the third time.
nlohmann::json ReplayOfTheThirdStart(const CommandFolder& folder) {
  nlohmann::json replay = ReplayOfTestProgram();
  replay["program"] = {"/bin/sh", "-c", "echo >> starts; test $(wc -l < starts) -lt 3 || exit 3"};
  replay["folder"] = folder.Path("");
  replay["ended"] = "exited with 3";
  return replay;
}

// A program that leaks an event when it is started for the third time, and exits with 0 each time.
nlohmann::json ReplayOfTheThirdLeak(const CommandFolder& folder) {
  nlohmann::json replay = ReplayOfTheThirdStart(folder);
  replay["program"] = {
      "/bin/sh", "-c",
      "echo >> starts; test $(wc -l < starts) -lt 3 || leak=--leak; exec " CULPRIT_TEST_PROGRAM
      " $leak"};
  replay["ended"] = "exited with 0";
  replay["new_errors"] = {"leak.event"};
  return replay;
}

TEST(ReplayCommandTest, RunsACaseOnceUnlessMoreTriesAreAskedFor) {
  const CommandFolder folder;
  folder.Write("replay.json", ReplayOfNothing(0).dump());
  const Outcome once = folder.Culprit("replay replay.json");
  EXPECT_EQ(once.code, 0) << once.error;
  EXPECT_THAT(once.output, HasSubstr("the case passes\n"));
  const Outcome thrice = folder.Culprit("replay replay.json --tries 3");
  EXPECT_EQ(thrice.code, 0) << thrice.error;
  EXPECT_THAT(thrice.output, HasSubstr("the case passes in 3 tries\n"));
  EXPECT_THAT(thrice.output, Not(HasSubstr("threads")));
}

TEST(ReplayCommandTest, SaysWhyACaseWithThreadsMayPass) {
  const CommandFolder folder;
  folder.Write("replay.json", ReplayOfNothing(2).dump());
  const Outcome outcome = folder.Culprit("replay replay.json --changed --tries 2");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.output, HasSubstr("the case passes in 2 tries\nThe order of its threads'"));
  const Outcome by_default = folder.Culprit("replay replay.json --changed --json");
  const auto json = nlohmann::json::parse(by_default.output);
  EXPECT_EQ(json.at("tries"), 50);
  EXPECT_EQ(json.at("reproduced"), false);
}

// Refused, and run with a note where that was asked for.
void ExpectRefusedUnlessAccepted(const nlohmann::json& replay, const std::string& says) {
  const CommandFolder folder;
  folder.Write("replay.json", replay.dump());
  const Outcome refused = folder.Culprit("replay replay.json");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error,
              AllOf(HasSubstr(says), HasSubstr("--changed runs the case all the same")));
  EXPECT_EQ(refused.output, "");
  const Outcome accepted = folder.Culprit("replay replay.json --changed --tries 1");
  EXPECT_EQ(accepted.code, 0) << accepted.error;
  EXPECT_THAT(accepted.error, HasSubstr("culprit: note: "));
  EXPECT_THAT(accepted.output, HasSubstr("the case passes\n"));
}

TEST(ReplayCommandTest, ACaseOfAnotherSuiteIsNotRunUnasked) {
  nlohmann::json replay = ReplayOfTinyPort();
  replay["suite_sha256"] = std::string(64, 'a');
  ExpectRefusedUnlessAccepted(replay, "is not the suite that was recorded (SHA-256 ");
}

TEST(ReplayCommandTest, ACaseOfAPortWithOtherAbilitiesIsNotRunUnasked) {
  nlohmann::json replay = ReplayOfTinyPort();
  replay["abilities"] = {"retry_close", "threads"};
  ExpectRefusedUnlessAccepted(replay, "recorded was one that declares retry_close, threads");
}

TEST(ReplayCommandTest, ACaseThatThePortCannotRunIsNotRunUnasked) {
  nlohmann::json replay = ReplayOfTinyPort();
  replay["settings"]["threads"] = 2;
  ExpectRefusedUnlessAccepted(replay, "the settings need 'threads', which the port does not");
}

TEST(ReplayCommandTest, AbilitiesMayStandInAnyOrder) {
  const CommandFolder folder;
  nlohmann::json replay = ReplayOfTinyPort();
  replay["abilities"] = {"foreign_context", "retry_close"};
  folder.Write("replay.json", replay.dump());
  EXPECT_EQ(folder.Culprit("replay replay.json").code, 0);
}

TEST(ReplayCommandTest, AProgramIsRunUntilItEndsAsRecorded) {
  const CommandFolder folder;
  folder.Write("replay.json", ReplayOfTheThirdStart(folder).dump());
  const Outcome once = folder.Culprit("replay replay.json");
  EXPECT_THAT(once.output, HasSubstr("the program exited with 0; recorded: reported, exited with"));
  const Outcome more = folder.Culprit("replay replay.json --tries 9 --json");
  const auto json = nlohmann::json::parse(more.output);
  EXPECT_EQ(json.at("tries"), 2);  // the third start of all
  EXPECT_EQ(json.at("reproduced"), true);
}

TEST(ReplayCommandTest, AProgramIsRunUntilItMisusesTheDriverAsRecorded) {
  const CommandFolder folder;
  folder.Write("replay.json", ReplayOfTheThirdLeak(folder).dump());
  const Outcome outcome = folder.Culprit("replay replay.json --tries 9 --json");
  EXPECT_EQ(outcome.code, 1);
  const auto json = nlohmann::json::parse(outcome.output.substr(outcome.output.find("{\n")));
  EXPECT_EQ(json.at("tries"), 3);
  EXPECT_EQ(json.at("reproduced"), true);
}

TEST(ReplayCommandTest, OfAProgramHasNoPortToChange) {
  const CommandFolder folder;
  folder.Write("replay.json", ReplayOfTheThirdStart(folder).dump());
  for (const std::string option : {"--changed", "--port $PORT"}) {
    const Outcome outcome = folder.Culprit("replay replay.json " + option);
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.error, HasSubstr("replay.json: is of a program; --port and --changed"));
  }
}

}  // namespace
}  // namespace culprit::tools
