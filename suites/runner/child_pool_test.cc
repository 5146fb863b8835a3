// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/child_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <csignal>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace culprit::suites {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

struct Outcome {
  ChildEnd end;
  std::vector<std::string> lines;
};

Outcome RunOne(std::function<void(ChildLink&)> body, int limit_ms = 20000) {
  Outcome outcome;
  ChildPool pool(2);
  ChildPool::Task task;
  task.body = std::move(body);
  task.on_line = [&](std::string_view line) { outcome.lines.emplace_back(line); };
  task.on_end = [&](const ChildEnd& end) { outcome.end = end; };
  task.case_limit = std::chrono::milliseconds(limit_ms);
  pool.Add(std::move(task));
  pool.Run();
  return outcome;
}

// Not in an anonymous namespace and never inlined, so that it shows up in a stack by name.
}  // namespace

[[gnu::noinline]] void CrashForTheTest() {
  std::raise(SIGSEGV);
  asm volatile("");
}

namespace {

TEST(ChildPoolTest, DeliversLinesAndTheEnd) {
  const Outcome outcome = RunOne([](ChildLink& link) {
    link.Send("one");
    link.Send(std::string(200000, 'x'));
  });
  EXPECT_EQ(outcome.end.kind, ChildEnd::Kind::kFinished);
  ASSERT_EQ(outcome.lines.size(), 2U);
  EXPECT_EQ(outcome.lines[1].size(), 200000U);
}

TEST(ChildPoolTest, SaysWhichCaseCrashedAndWhere) {
  const Outcome outcome = RunOne([](ChildLink& link) {
    link.Send("one");
    link.box().BeginCase(7);
    std::strcpy(link.box().doing, "flush");
    CrashForTheTest();
  });
  EXPECT_EQ(outcome.end.kind, ChildEnd::Kind::kCrashed);
  EXPECT_EQ(outcome.end.number, SIGSEGV);
  EXPECT_EQ(outcome.end.case_index, 7);
  EXPECT_EQ(outcome.end.doing, "flush");
  EXPECT_THAT(outcome.lines, ElementsAre("one"));
  ASSERT_FALSE(outcome.end.stacks.empty());
  EXPECT_THAT(outcome.end.stacks[0], Contains(HasSubstr("CrashForTheTest")));
}

TEST(ChildPoolTest, EndsAHangAndShowsItsStack) {
  const Outcome outcome = RunOne(
      [](ChildLink& link) {
        link.box().BeginCase(3);
        while (true) pause();
      },
      200);
  EXPECT_EQ(outcome.end.kind, ChildEnd::Kind::kHung);
  EXPECT_EQ(outcome.end.case_index, 3);
  EXPECT_FALSE(outcome.end.stacks.empty());
}

TEST(ChildPoolTest, TellsAnExitFromAnEnd) {
  const Outcome outcome = RunOne([](ChildLink& link) {
    link.box().BeginCase(1);
    std::exit(5);
  });
  EXPECT_EQ(outcome.end.kind, ChildEnd::Kind::kExited);
  EXPECT_EQ(outcome.end.number, 5);
}

TEST(ChildPoolTest, TellsAFailureOfTheHarnessFromOneOfTheSubject) {
  const Outcome outcome = RunOne([](ChildLink&) { throw std::runtime_error("no driver"); });
  EXPECT_EQ(outcome.end.kind, ChildEnd::Kind::kHarnessFailed);
  EXPECT_THAT(outcome.end.Text(), HasSubstr("no driver"));
}

TEST(ChildPoolTest, RunsManyTasksAndThoseTheyAdd) {
  ChildPool pool(3);
  int first = 0;
  int added = 0;
  for (int i = 0; i < 10; ++i) {
    ChildPool::Task task;
    task.body = [](ChildLink& link) { link.Send("line"); };
    task.on_line = [](std::string_view) {};
    task.on_end = [&](const ChildEnd&) {
      ++first;
      ChildPool::Task next;
      next.body = [](ChildLink&) {};
      next.on_line = [](std::string_view) {};
      next.on_end = [&](const ChildEnd&) { ++added; };
      pool.AddFirst(std::move(next));
    };
    pool.Add(std::move(task));
  }
  pool.Run();
  EXPECT_EQ(first, 10);
  EXPECT_EQ(added, 10);
}

TEST(ChildPoolTest, AsksBeforeTheStartWhetherATaskIsStillWanted) {
  ChildPool pool(1);
  ChildEnd seen;
  ChildPool::Task task;
  task.body = [](ChildLink&) { std::abort(); };
  task.on_line = [](std::string_view) {};
  task.on_end = [&](const ChildEnd& end) { seen = end; };
  task.wanted = [] { return false; };
  pool.Add(std::move(task));
  pool.Run();
  EXPECT_EQ(seen.kind, ChildEnd::Kind::kNotStarted);
}

}  // namespace
}  // namespace culprit::suites
