// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::fakedriver::fault {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<Fault> Parsed(const std::string& text) {
  std::string error;
  auto faults = ParsePlan(text, "plan.yaml", &error);
  EXPECT_EQ(error, "");
  return faults.value_or(std::vector<Fault>());
}

std::string ErrorOf(const std::string& text) {
  std::string error;
  EXPECT_FALSE(ParsePlan(text, "plan.yaml", &error)) << text;
  return error;
}

TEST(PlanTest, ASiteIsAnEntryAndANumber) {
  const auto faults =
      Parsed("faults:\n  - {entry: cuEventCreate, nth: 2, before: CUDA_ERROR_OUT_OF_MEMORY}\n");
  ASSERT_THAT(faults, SizeIs(1));
  const Fault& fault = faults[0];
  EXPECT_EQ(fault.name, "plan.yaml:2");
  EXPECT_EQ(fault.site.entries.count(), 1u);
  EXPECT_TRUE(fault.site.entries.test(static_cast<size_t>(ApiId::cuEventCreate)));
  EXPECT_EQ(fault.trigger.nth, 2u);
  EXPECT_EQ(fault.times, 1u);
  EXPECT_EQ(fault.consequence.result, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(fault.consequence.timing, Timing::kBefore);
}

TEST(PlanTest, JsonIsReadToo) {
  const auto faults =
      Parsed(R"({"seed": 9, "faults": [{"family": "memory", "every": 3, "after": 999}]})");
  ASSERT_THAT(faults, SizeIs(1));
  EXPECT_EQ(faults[0].consequence.result, CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(faults[0].consequence.timing, Timing::kAfter);
  EXPECT_EQ(faults[0].trigger.seed, 9u);
}

TEST(PlanTest, ABareListIsAPlan) {
  EXPECT_THAT(Parsed("- {any: true, nth: 1, before: 2}\n- {any: true, nth: 2, before: 2}"),
              SizeIs(2));
}

TEST(PlanTest, TheSeedCountsWhereverItStands) {
  const auto faults = Parsed("faults: [{any: true, probability: 0.5, before: 2}]\nseed: 5");
  ASSERT_THAT(faults, SizeIs(1));
  EXPECT_EQ(faults[0].trigger.seed, 5u);
}

TEST(PlanTest, ALookupNameMeansAllVariants) {
  const auto faults = Parsed("- {entry: cuMemAlloc, nth: 1, before: 2}");
  ASSERT_THAT(faults, SizeIs(1));
  EXPECT_TRUE(faults[0].site.entries.test(static_cast<size_t>(ApiId::cuMemAlloc)));
  EXPECT_TRUE(faults[0].site.entries.test(static_cast<size_t>(ApiId::cuMemAlloc_v2)));
  EXPECT_EQ(faults[0].site.entries.count(), 2u);
}

TEST(PlanTest, WhatRepeatsIsStickyUnlessItSaysOtherwise) {
  const auto faults = Parsed(
      "- {any: true, every: 2, before: 2}\n"
      "- {any: true, every: 2, once: true, before: 2}\n"
      "- {any: true, skip: 2, times: 4, before: 2}\n"
      "- {any: true, nth: 2, sticky: true, before: 2}\n");
  ASSERT_THAT(faults, SizeIs(4));
  EXPECT_EQ(faults[0].times, kSticky);
  EXPECT_EQ(faults[1].times, 1u);
  EXPECT_EQ(faults[2].times, 4u);
  EXPECT_EQ(faults[3].times, kSticky);
}

TEST(PlanTest, DelaysBudgetsAndLateErrors) {
  const auto faults = Parsed(
      "- {entry: cuLaunchKernel, delay: 250us}\n"
      "- {memory_budget: 64MiB, optional: true}\n"
      "- {entry: cuLaunchKernel, nth: 1, later: CUDA_ERROR_LAUNCH_FAILED, lose_contexts: true,\n"
      "   surfaces_at: {entry: cuStreamSynchronize, nth: 2}}\n");
  ASSERT_THAT(faults, SizeIs(3));
  EXPECT_EQ(faults[0].consequence.delay, 250us);
  EXPECT_EQ(faults[1].consequence.memory_budget, 64u << 20);
  EXPECT_EQ(faults[2].consequence.timing, Timing::kLater);
  EXPECT_EQ(faults[2].consequence.surface.nth, 2u);
  EXPECT_TRUE(faults[2].consequence.lose_contexts);
}

TEST(PlanErrorTest, NamesFileLineColumnAndRule) {
  EXPECT_THAT(ErrorOf("faults:\n  - entry: cuFoo\n    nth: 1\n"),
              StartsWith("plan.yaml:2:12: plan.unknown_entry: "));
}

TEST(PlanErrorTest, ASecondDocumentIsRefused) {
  EXPECT_THAT(ErrorOf("- {any: true, before: 2}\n---\n- {any: true, nth: 2, before: 2}\n"),
              StartsWith("plan.yaml:2:1: plan.shape: a file holds one document"));
}

TEST(PlanErrorTest, SaysThatATextIsNestedTooDeeply) {
  EXPECT_THAT(ErrorOf(std::string(100000, '[')),
              HasSubstr("plan.syntax: this is nested too deeply"));
}

struct Broken {
  const char* text;
  const char* rule;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.text; }

class PlanRuleTest : public ::testing::TestWithParam<Broken> {};

TEST_P(PlanRuleTest, IsHeld) { EXPECT_THAT(ErrorOf(GetParam().text), HasSubstr(GetParam().rule)); }

INSTANTIATE_TEST_SUITE_P(
    Plans, PlanRuleTest,
    ::testing::Values(
        Broken{"", "plan.shape"}, Broken{"faults: 3", "plan.shape"},
        Broken{"seed: 3", "plan.shape"}, Broken{"[3]", "plan.shape"},
        Broken{"{faults: [", "plan.syntax"},
        Broken{"- {family: streams, nth: 1, before: 2}", "plan.unknown_family"},
        Broken{"- {any: true, nth: 1, befor: 2}", "plan.unknown_key"},
        Broken{"- {any: true, nth: 1, nth: 2, before: 2}", "plan.repeated_key"},
        Broken{"- {nth: 1, before: 2}", "plan.where"},
        Broken{"- {any: true, family: memory, nth: 1, before: 2}", "plan.conflict"},
        Broken{"- {any: true, before: 2, after: 2}", "plan.conflict"},
        Broken{"- {any: true, once: true, sticky: true, before: 2}", "plan.conflict"},
        Broken{"- {any: true, before: 2, surfaces_at: {any: true}}", "plan.conflict"},
        Broken{"- {memory_budget: 1MiB, nth: 2}", "plan.conflict"},
        Broken{"- {any: false, before: 2}", "plan.value"},
        Broken{"# nothing", "plan.shape: the plan is empty"},
        Broken{"- {any: true, once: false, before: 2}", "'once' can only be true"},
        Broken{"- {any: true, sticky: false, before: 2}", "'sticky' can only be true"},
        Broken{"- {any: true, below: '', before: 2}", "a text that is not empty"},
        Broken{"- {any: true, name: '', before: 2}", "a text that is not empty"},
        Broken{"- {any: true, thread: 4294967297, before: 2}", "a thread from 1"},
        Broken{"- {any: true, delay: 86401s}", "at most a day"},
        Broken{"- &all [*all]", "plan.shape"},
        Broken{"- {any: true, nth: 0, before: 2}", "plan.value"},
        Broken{"- {any: true, nth: -1, before: 2}", "plan.value"},
        Broken{"- {any: true, nth: 1.5, before: 2}", "plan.value"},
        Broken{"- {any: true, nth: 99999999999999999999, before: 2}", "plan.value"},
        Broken{"- {any: true, probability: 1.5, before: 2}", "plan.value"},
        Broken{"- {any: true, probability: nan, before: 2}", "plan.value"},
        Broken{"- {any: true, delay: 5}", "plan.value"},
        Broken{"- {any: true, delay: 99999999999999s}", "plan.value"},
        Broken{"- {any: true, before: CUDA_ERROR_NO}", "plan.value"},
        Broken{"- {any: true, before: 70700}", "plan.value"},
        Broken{"- {any: true, before: [2]}", "plan.value"},
        Broken{"- {any: true, nth: 1}", "plan.meaning"},
        Broken{"- {any: true, before: CUDA_SUCCESS}", "plan.meaning"},
        Broken{"- {any: true, sticky: true, before: CUDA_ERROR_NOT_READY}", "plan.meaning"},
        Broken{"- {any: true, nth: 1, before: CUDA_ERROR_DEINITIALIZED}", "plan.meaning"},
        Broken{"- {any: true, later: 700}", "plan.meaning"}));

}  // namespace
}  // namespace culprit::fakedriver::fault
