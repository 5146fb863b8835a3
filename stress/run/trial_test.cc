// SPDX-License-Identifier: Apache-2.0
#include "stress/run/trial.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace culprit::stress {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void Say(int pipe, std::string_view text) {
  ASSERT_EQ(write(pipe, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(TrialTest, ReadingsArriveInOrderWithTheirValues) {
  std::vector<int64_t> seen;
  const Trial trial = Supervise(
      [](int pipe) {
        Say(pipe, "machine NVIDIA X\t580.1\t13.0\t/lib/libcuda.so.580.1\n");
        Say(pipe, "pair cuA / cuB\t\npair cuC / cuD\t0 1\ncontrol 0\n");
        Say(pipe, "sample 0 1 2 3 4 5 6 7 8\nsample 10 11 12 ");
        Say(pipe, "13 14 15 16 17 18\ndone \n");
      },
      10, [&](int64_t cycle) { seen.push_back(cycle); });
  EXPECT_EQ(trial.ending, Ending::kDone);
  EXPECT_THAT(seen, ElementsAre(0, 10));
  ASSERT_EQ(trial.samples.size(), 2u);
  EXPECT_THAT(trial.samples[1].value, ElementsAre(11, 12, 13, 14, 15, 16, 17, 18));
  EXPECT_EQ(trial.machine.device, "NVIDIA X");
  EXPECT_EQ(trial.machine.driver_file, "/lib/libcuda.so.580.1");
  EXPECT_THAT(trial.pair_names, ElementsAre("cuA / cuB", "cuC / cuD"));
  EXPECT_THAT(trial.pair_needs, ElementsAre(IsEmpty(), ElementsAre(0, 1)));
}

TEST(TrialTest, AnUnavailableReadingSurvivesThePipe) {
  const Trial trial = Supervise(
      [](int pipe) { Say(pipe, fmt::format("sample 0 1 {} 3 4 5 6 7 8\ndone \n", kUnavailable)); },
      10);
  ASSERT_EQ(trial.samples.size(), 1u);
  EXPECT_EQ(trial.samples[0][Resource::kProcessDeviceMemory], kUnavailable);
  EXPECT_EQ(trial.samples[0][Resource::kResidentMemory], 3);
}

TEST(TrialTest, ACrashIsNamedWithTheLastCycle) {
  const Trial trial = Supervise(
      [](int pipe) {
        Say(pipe, "sample 70 1 2 3 4 5 6 7 8\n");
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
      },
      10);
  EXPECT_EQ(trial.ending, Ending::kCrashed);
  EXPECT_THAT(trial.reason, HasSubstr("signal 11"));
  EXPECT_THAT(trial.reason, HasSubstr("after cycle 70"));
}

TEST(TrialTest, AnEarlyExitWithoutAWordIsACrash) {
  const Trial trial = Supervise([](int) { _exit(9); }, 10);
  EXPECT_EQ(trial.ending, Ending::kCrashed);
  EXPECT_THAT(trial.reason, HasSubstr("exited with 9, before the first reading"));
}

TEST(TrialTest, SilenceIsAHangAndTheChildIsEnded) {
  const Trial trial = Supervise([](int) { pause(); }, 1);
  EXPECT_EQ(trial.ending, Ending::kHung);
  EXPECT_THAT(trial.reason, HasSubstr("no reading for 1 s"));
  EXPECT_GE(trial.seconds, 1);
}

TEST(TrialTest, ASkipKeepsItsReason) {
  const Trial trial = Supervise([](int pipe) { Say(pipe, "skip no device here\n"); }, 10);
  EXPECT_EQ(trial.ending, Ending::kSkipped);
  EXPECT_EQ(trial.reason, "no device here");
}

TEST(TrialTest, WithoutADriverLibraryAProbeSkipsAndNamesTheFile) {
  const ProbeInfo probe{.name = "none"};
  const Trial trial = RunTrial(probe, {.driver = "libno_such_driver.so.1"});
  EXPECT_EQ(trial.ending, Ending::kSkipped);
  EXPECT_THAT(trial.reason, HasSubstr("libno_such_driver.so.1 cannot be loaded"));
}

}  // namespace
}  // namespace culprit::stress
