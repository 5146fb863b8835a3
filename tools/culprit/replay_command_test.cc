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
  const Outcome outcome = folder.Culprit("replay replay.json --tries 2");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.output, HasSubstr("the case passes in 2 tries\nThe order of its threads'"));
  const Outcome by_default = folder.Culprit("replay replay.json --json");
  const auto json = nlohmann::json::parse(by_default.output);
  EXPECT_EQ(json.at("tries"), 50);
  EXPECT_EQ(json.at("reproduced"), false);
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

}  // namespace
}  // namespace culprit::tools
