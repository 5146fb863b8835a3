// SPDX-License-Identifier: Apache-2.0
//
// The scheduler with real threads that call it themselves, as the interposed functions would.
#include "suites/interleavings/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace culprit::interleavings {
namespace {

using testing::HasSubstr;

class Deadlocked : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Starts a thread of the run; the caller joins it through the scheduler first.
class RunThread {
 public:
  RunThread(Scheduler& scheduler, std::function<void()> body) : scheduler_(scheduler) {
    id_ = scheduler.Created();
    thread_ = std::thread([&scheduler, id = id_, body = std::move(body)] {
      scheduler.Started(id);
      body();
      scheduler.Finished();
    });
    scheduler.Point();
  }
  void Join() {
    scheduler_.Join(id_);
    thread_.join();
  }

 private:
  Scheduler& scheduler_;
  ThreadId id_;
  std::thread thread_;
};

// Runs `body` under every schedule with at most two preemptions and collects what it returns.
std::set<std::string> Explore(const std::function<std::string(Scheduler&)>& body) {
  Scheduler scheduler;
  std::set<std::string> outcomes;
  const auto strategy = DepthFirst(2, 10000);
  while (strategy->Next()) {
    scheduler.Begin(*strategy, [](const std::string& who) { throw Deadlocked(who); });
    outcomes.insert(body(scheduler));
    EXPECT_EQ(scheduler.End().left, 0U);
  }
  EXPECT_TRUE(strategy->Exhausted());
  return outcomes;
}

TEST(SchedulerTest, FindsALostUpdate) {
  const auto outcomes = Explore([](Scheduler& scheduler) {
    int sum = 0;
    const auto add = [&] {
      const int before = sum;
      scheduler.Point();
      sum = before + 1;
    };
    RunThread first(scheduler, add);
    RunThread second(scheduler, add);
    first.Join();
    second.Join();
    return std::to_string(sum);
  });
  EXPECT_EQ(outcomes, (std::set<std::string>{"1", "2"}));
}

TEST(SchedulerTest, AMutexKeepsOthersOut) {
  const auto outcomes = Explore([](Scheduler& scheduler) {
    int sum = 0;
    const char mutex = 0;
    const auto add = [&] {
      scheduler.Lock(&mutex);
      const int before = sum;
      scheduler.Point();
      sum = before + 1;
      scheduler.Unlock(&mutex);
    };
    RunThread first(scheduler, add);
    RunThread second(scheduler, add);
    first.Join();
    second.Join();
    return std::to_string(sum);
  });
  EXPECT_EQ(outcomes, std::set<std::string>{"2"});
}

TEST(SchedulerTest, AWaitEndsByASignalAndHoldsTheMutexAgain) {
  const auto outcomes = Explore([](Scheduler& scheduler) {
    const char mutex = 0;
    const char condition = 0;
    bool ready = false;
    std::string seen;
    RunThread waiter(scheduler, [&] {
      scheduler.Lock(&mutex);
      while (!ready) scheduler.Wait(&condition, &mutex, false);
      seen = scheduler.Holds(&mutex) ? "holds" : "does not hold";
      scheduler.Unlock(&mutex);
    });
    scheduler.Lock(&mutex);
    ready = true;
    scheduler.Signal(&condition, false);
    scheduler.Unlock(&mutex);
    waiter.Join();
    return seen;
  });
  EXPECT_EQ(outcomes, std::set<std::string>{"holds"});
}

TEST(SchedulerTest, ATimeLimitEndsAWaitOnlyWhenNobodyElseCanGoOn) {
  const auto outcomes = Explore([](Scheduler& scheduler) {
    const char mutex = 0;
    const char condition = 0;
    scheduler.Lock(&mutex);
    const bool timed_out = scheduler.Wait(&condition, &mutex, true);
    scheduler.Unlock(&mutex);
    return std::string(timed_out ? "timed out" : "signalled");
  });
  EXPECT_EQ(outcomes, std::set<std::string>{"timed out"});
}

TEST(SchedulerTest, WhenNobodyCanGoOnItSaysWhoWaitsForWhat) {
  Scheduler scheduler;
  const auto strategy = Fixed({});
  ASSERT_TRUE(strategy->Next());
  scheduler.Begin(*strategy, [](const std::string& who) { throw Deadlocked(who); });
  const char mutex = 0;
  const char condition = 0;
  scheduler.Lock(&mutex);
  try {
    scheduler.Wait(&condition, &mutex, false);
    FAIL() << "nobody could have signalled";
  } catch (const Deadlocked& deadlock) {
    EXPECT_THAT(deadlock.what(), HasSubstr("thread 0 waits for a condition"));
  }
  scheduler.End();
}

TEST(SchedulerTest, TheSameScheduleIsTheSameRun) {
  const auto body = [](Scheduler& scheduler) {
    std::string order;
    const auto note = [&](char name) {
      return [&, name] {
        for (int i = 0; i < 3; ++i) {
          scheduler.Point();
          order += name;
        }
      };
    };
    RunThread first(scheduler, note('a'));
    RunThread second(scheduler, note('b'));
    first.Join();
    second.Join();
    return order;
  };
  Scheduler scheduler;
  const auto random = Random(11, 20);
  while (random->Next()) {
    scheduler.Begin(*random, [](const std::string& who) { throw Deadlocked(who); });
    const std::string order = body(scheduler);
    const Schedule schedule = scheduler.End().schedule;
    const auto again = Fixed(schedule);
    ASSERT_TRUE(again->Next());
    scheduler.Begin(*again, [](const std::string& who) { throw Deadlocked(who); });
    EXPECT_EQ(body(scheduler), order);
    EXPECT_EQ(scheduler.End().schedule, schedule);
  }
}

}  // namespace
}  // namespace culprit::interleavings
