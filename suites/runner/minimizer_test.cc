// SPDX-License-Identifier: Apache-2.0
//
// On subjects that are functions: what is left must be what the function depends on.
#include "suites/runner/minimizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kLeak = "leak.event";

CaseResult Failing(std::vector<std::string> ids) {
  CaseResult result;
  for (std::string& id : ids) {
    result.findings.push_back({.id = std::move(id), .message = "", .step = ""});
  }
  return result;
}

bool Has(const ReplayRequest& request, const std::string& entry, uint64_t nth_at_least = 1) {
  return std::any_of(request.faults.begin(), request.faults.end(), [&](const Fault& fault) {
    return fault.entry == entry && fault.nth >= nth_at_least;
  });
}

ReplayRequest Large() {
  ReplayRequest request;
  request.scenario = "swept";
  request.settings.extractors = {"motion", "psnr", "vif"};
  request.settings.threads = 4;
  request.settings.caller = CallerContext::kForeign;
  request.faults = {{.entry = "cuEventCreate", .nth = 9}, {.entry = "cuMemFree", .nth = 7}};
  request.index = 12;
  return request;
}

std::optional<Minimizer::Minimal> Minimize(const Minimizer::Try& run, uint32_t frames = 4) {
  return Minimizer(run, {kLeak, "port.retry_failed"}, {.frames = frames}).Run(Large());
}

TEST(MinimizerTest, KeepsOnlyWhatTheFailureDependsOn) {
  const auto minimal = Minimize([](const ReplayRequest& request) -> std::optional<CaseResult> {
    const auto& names = request.settings.extractors;
    const bool fails = Has(request, "cuMemFree", 3) && request.frames != 1 &&
                       std::find(names.begin(), names.end(), "psnr") != names.end();
    return fails ? Failing({kLeak}) : CaseResult();
  });
  ASSERT_TRUE(minimal);
  EXPECT_THAT(minimal->request.settings.extractors, ElementsAre("psnr"));
  EXPECT_EQ(minimal->request.settings.threads, 0U);
  EXPECT_EQ(minimal->request.settings.caller, CallerContext::kNone);
  EXPECT_EQ(minimal->request.frames, 2U);
  ASSERT_EQ(minimal->request.faults.size(), 1U);
  EXPECT_EQ(minimal->request.faults[0].entry, "cuMemFree");
  EXPECT_EQ(minimal->request.faults[0].nth, 3U);
}

TEST(MinimizerTest, AFailureThatNeedsNoFaultIsTheScenarioItself) {
  const auto minimal = Minimize([](const ReplayRequest&) { return Failing({kLeak}); });
  ASSERT_TRUE(minimal);
  EXPECT_THAT(minimal->request.faults, IsEmpty());
  EXPECT_EQ(minimal->request.index, 0U);
}

TEST(MinimizerTest, FindsTheFaultAgainWhenLessIsGoingOnBeforeIt) {
  // Each extractor makes three events; the failing one is the last extractor's first.
  const auto minimal = Minimize([](const ReplayRequest& request) -> std::optional<CaseResult> {
    const uint64_t wanted = 3 * (request.settings.extractors.size() - 1) + 3;
    const bool fails = !request.faults.empty() && request.faults[0].entry == "cuEventCreate" &&
                       request.faults[0].nth == wanted;
    return fails ? Failing({kLeak}) : CaseResult();
  });
  ASSERT_TRUE(minimal);
  EXPECT_EQ(minimal->request.settings.extractors.size(), 1U);
  EXPECT_EQ(minimal->request.faults[0].nth, 3U);
}

TEST(MinimizerTest, AnotherFindingIsNoSmallerCase) {
  const auto minimal = Minimize([](const ReplayRequest& request) -> std::optional<CaseResult> {
    if (request.settings.threads == 0) return Failing({kLeak, "port.crash"});
    return Failing({"port.retry_failed", kLeak});
  });
  ASSERT_TRUE(minimal);
  EXPECT_EQ(minimal->request.settings.threads, 1U);
}

TEST(MinimizerTest, SaysSoWhenTheFailureDoesNotComeAgain) {
  EXPECT_FALSE(Minimize([](const ReplayRequest&) { return CaseResult(); }));
  EXPECT_FALSE(Minimize([](const ReplayRequest&) { return std::optional<CaseResult>(); }));
}

TEST(MinimizerTest, SpendsNoMoreThanItMay) {
  uint32_t tries = 0;
  const auto run = [&](const ReplayRequest& request) -> std::optional<CaseResult> {
    ++tries;
    return request.faults.size() == 2 ? Failing({kLeak}) : CaseResult();
  };
  const auto minimal = Minimizer(run, {kLeak}, {.frames = 4, .tries = 5}).Run(Large());
  ASSERT_TRUE(minimal);
  EXPECT_EQ(tries, 5U);
}

}  // namespace
}  // namespace culprit::suites
