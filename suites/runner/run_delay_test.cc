// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/run_delay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

namespace culprit::suites {
namespace {

using namespace std::chrono_literals;
using Clock = TimeLimit::Clock;

// A child that does what the test says, on one processor of the machine.
class RunDelayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/proc/self/schedstat")) {
      GTEST_SKIP() << "this kernel does not count how long a thread waits for a processor";
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_getaffinity(0, sizeof(all_), &all_);
    sched_setaffinity(0, sizeof(one), &one);
  }
  void TearDown() override {
    for (pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    sched_setaffinity(0, sizeof(all_), &all_);
  }
  pid_t Start(void (*work)()) {
    const pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    children_.push_back(child);
    return child;
  }
  static void Spin() {
    for (volatile bool on = true; on;) {
    }
  }
  static void Sleep() { pause(); }

 private:
  cpu_set_t all_{};
  std::vector<pid_t> children_;
};

TEST_F(RunDelayTest, AStarvedProcessHasTimeLeftWhereASleepingOneHasNone) {
  const auto started = Clock::now();
  const pid_t starved = Start(Spin);
  for (int i = 0; i < 7; ++i) Start(Spin);
  const pid_t asleep = Start(Sleep);
  TimeLimit starved_limit;
  TimeLimit asleep_limit;
  TimeLimit patient_limit;
  constexpr auto kLimit = 400ms;
  // The sleeping one waits for the processor as well, until it sleeps: for how long, nobody knows.
  while (!asleep_limit.IsOver(asleep, started, kLimit)) {
    std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(starved_limit.IsOver(starved, started, kLimit));
    EXPECT_FALSE(patient_limit.IsOver(asleep, started, 1min));
  }
  EXPECT_GT(RunDelay(starved), 100ms);
}

TEST_F(RunDelayTest, TenTimesTheLimitIsTheEndOnAnyMachine) {
  const auto started = Clock::now() - 10s;
  const pid_t starved = Start(Spin);
  TimeLimit limit;
  EXPECT_TRUE(limit.IsOver(starved, started, 1s));
}

TEST_F(RunDelayTest, OfAProcessThatIsGoneIsNone) { EXPECT_EQ(RunDelay(0x7fffffff), 0ns); }

}  // namespace
}  // namespace culprit::suites
