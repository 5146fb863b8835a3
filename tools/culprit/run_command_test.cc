// SPDX-License-Identifier: Apache-2.0
//
// What `culprit run` says of programs that do not come to a good end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tools/culprit/testing/command.h"

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(RunCommandTest, AProgramThatAFaultKillsHasMadeItsCalls) {
  const CommandFolder folder;
  folder.Write("plan.yaml", "- {entry: cuMemAlloc, kill: true}");
  const Outcome outcome = folder.Culprit("run --plan plan.yaml -- $PROGRAM");
  EXPECT_EQ(outcome.code, 137);
  EXPECT_THAT(outcome.error, AllOf(HasSubstr("was killed by signal 9"), HasSubstr("7 driver calls"),
                                   Not(HasSubstr("NOT ONE"))));
}

TEST(RunCommandTest, AProgramThatLeavesNoReportIsNotSaidToHaveMadeNoCall) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer wants to be loaded before the driver, which the shell does not do";
#endif
  const CommandFolder folder;
  const Outcome outcome =
      folder.Culprit("run -- sh -c 'LD_PRELOAD=libcuda.so.1 sh -c \"kill -SEGV \\$\\$\"'");
  EXPECT_EQ(outcome.code, 139);
  EXPECT_THAT(outcome.error,
              AllOf(HasSubstr("without letting the driver report"), Not(HasSubstr("NOT ONE"))));
}

TEST(RunCommandTest, AProgramThatNeverCallsTheDriverProvesNothing) {
  const CommandFolder folder;
  const Outcome outcome = folder.Culprit("run -- true");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.error, HasSubstr("NOT ONE DRIVER CALL WAS SEEN"));
}

TEST(RunCommandTest, ACallThatIsBlockedIsAnnouncedAndTheLimitEndsIt) {
  const CommandFolder folder;
  folder.Write("plan.yaml", "- {entry: cuMemAlloc, block: true}");
  const Outcome outcome = folder.Culprit("run --timeout 3 --plan plan.yaml -- $PROGRAM");
  EXPECT_EQ(outcome.code, 137);
  EXPECT_THAT(outcome.error,
              AllOf(HasSubstr("blocks cuMemAlloc_v2, call 7"), HasSubstr("did not end in time")));
}

TEST(RunCommandTest, ATraceMayBeAPipe) {
  const CommandFolder folder;
  const Outcome outcome =
      folder.Culprit("run --trace pipe -- $PROGRAM", "mkfifo pipe; cat pipe >copied &");
  EXPECT_EQ(outcome.code, 0);
}

TEST(RunCommandTest, AProgramEndsWithTheCommand) {
  const CommandFolder folder;
  for (const std::string signal : {"TERM", "HUP"}) {
    const Outcome outcome = folder.Culprit(
        "run -- /bin/sh -c 'echo $$ > pid; exec sleep 600' & command=$!; "
        "until test -s pid; do sleep 0.02; done; kill -" +
            signal + " $command; wait $command; code=$?; ! kill -0 $(cat pid); (exit $code)",
        "rm -f pid;");
    EXPECT_EQ(outcome.code, 128 + (signal == "TERM" ? SIGTERM : SIGHUP)) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("No such process")) << "of the program";
  }
}

}  // namespace
}  // namespace culprit::tools
