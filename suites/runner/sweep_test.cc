// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/sweep.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

enum : uint32_t { kInit, kAlloc, kFree, kQuery };

const EntryTable kEntries = EntryTable::Read(nlohmann::json::parse(R"([
  {"symbol":"cuInit","effect":"sets","results":["CUDA_SUCCESS","CUDA_ERROR_INVALID_VALUE","CUDA_ERROR_NO_DEVICE"]},
  {"symbol":"cuMemAlloc_v2","effect":"creates","results":["CUDA_ERROR_INVALID_VALUE","CUDA_ERROR_OUT_OF_MEMORY"]},
  {"symbol":"cuMemFree_v2","effect":"destroys","results":[]},
  {"symbol":"cuEventQuery","effect":"queries","results":
    ["CUDA_SUCCESS","CUDA_ERROR_DEINITIALIZED","CUDA_ERROR_INVALID_HANDLE","CUDA_ERROR_NOT_READY"]}])"));

const std::vector<CallMade> kCalls = {
    {kInit, 1, StepKind::kStateInit},
    {kAlloc, 1, StepKind::kOpen},
    {kFree, 1, StepKind::kClose},
    {kFree, 2, StepKind::kClose},
};

std::vector<std::vector<Fault>> CasesOf(const SinglesPlan& plan) {
  std::vector<std::vector<Fault>> cases;
  for (uint64_t i = 0; i < plan.size(); ++i) cases.push_back(plan.At(i));
  return cases;
}

Sweep Everything() {
  Sweep sweep;
  sweep.results = Sweep::Results::kDocumented;
  sweep.when = {FaultWhen::kBefore, FaultWhen::kAfter};
  sweep.span = {FaultSpan::kOnce, FaultSpan::kSticky};
  return sweep;
}

TEST(SinglesPlanTest, TakesOneRepresentativeResultPerCall) {
  const auto cases = CasesOf(SinglesPlan(Sweep{}, kCalls, kEntries, false, 0));
  ASSERT_THAT(cases, SizeIs(4));
  EXPECT_EQ(cases[0][0].result, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(cases[1][0].result, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cases[2][0].result, CUDA_ERROR_UNKNOWN) << "nothing is documented for the entry";
  EXPECT_EQ(cases[3][0].nth, 2U);
}

TEST(SinglesPlanTest, IsTheProductOfResultsMomentsAndSpans) {
  Sweep sweep = Everything();
  sweep.during = {StepKind::kStateInit};
  EXPECT_EQ(SinglesPlan(sweep, kCalls, kEntries, false, 0).size(), 2U * 2 * 2);
}

TEST(SinglesPlanTest, OfARunWithThreadsDoesNotFollowTheOrderOfItsCalls) {
  std::vector<CallMade> another_order = {kCalls[2], kCalls[0], kCalls[3], kCalls[1]};
  const SinglesPlan plan(Everything(), kCalls, kEntries, true, 0);
  EXPECT_EQ(CasesOf(SinglesPlan(Everything(), another_order, kEntries, true, 0)), CasesOf(plan));
  EXPECT_NE(CasesOf(SinglesPlan(Everything(), another_order, kEntries, false, 0)), CasesOf(plan));
  EXPECT_TRUE(plan.At(0).front().optional);
}

TEST(SinglesPlanTest, LeavesNothingOutOfTheWholeFaultSpace) {
  const SinglesPlan plan(Everything(), kCalls, kEntries, false, 0);
  EXPECT_THAT(plan.left_out(), IsEmpty());
  EXPECT_EQ(plan.calls(), 4U);
  EXPECT_EQ(plan.sites(), 4U);
  std::set<std::string> names;
  for (const auto& faults : CasesOf(plan)) names.insert(faults[0].Name());
  EXPECT_EQ(names.size(), plan.size()) << "no case is there twice";
}

TEST(SinglesPlanTest, SaysWhatItLeavesOutAndWhy) {
  Sweep sweep;
  sweep.during = {StepKind::kStateInit, StepKind::kOpen};
  const SinglesPlan plan(sweep, kCalls, kEntries, false, 3);
  EXPECT_EQ(plan.calls(), 7U);
  EXPECT_THAT(plan.left_out(),
              ElementsAre(LeftOut{"calls", "they belong to steps that the sweep is not about", 2},
                          LeftOut{"calls", "no step of the life cycle made them", 3},
                          LeftOut{"results", "the sweep takes one result for each call", 2},
                          LeftOut{"faults after the effect", "the sweep does not ask for them", 2},
                          LeftOut{"faults that stay", "the sweep does not ask for them", 2}));
}

TEST(SinglesPlanTest, ArmsTheFollowingFaultForTheNextCallOfItsEntry) {
  Sweep sweep;
  sweep.during = {StepKind::kClose};
  sweep.followed_by = {
      {.entry = "cuMemFree", .result = CUDA_ERROR_INVALID_VALUE, .optional = true}};
  const auto cases = CasesOf(SinglesPlan(sweep, kCalls, kEntries, false, 0));
  ASSERT_THAT(cases, SizeIs(2));
  EXPECT_EQ(cases[0][1].nth, 2U);
  EXPECT_EQ(cases[1][1].nth, 3U);
  EXPECT_TRUE(cases[1][1].optional);
}

TEST(EntryTableTest, LeavesOutResultsThatAreNoFailureOfTheCall) {
  EXPECT_THAT(kEntries.results[kQuery], ElementsAre(CUDA_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(kEntries.Destroys("cuMemFree_v2"));
  EXPECT_FALSE(kEntries.Destroys("cuMemAlloc_v2"));
}

TEST(EntryTableTest, FindsTheEntryThatAVariantIsLookedUpBy) {
  const EntryTable table = EntryTable::Read(nlohmann::json::parse(
      R"([{"symbol":"cuMemFree"},{"symbol":"cuMemFree_v2"},{"symbol":"cuEventCreate_v9"}])"));
  EXPECT_THAT(table.lookups, ElementsAre(0, 0, 2));
}

// The first fault hits the allocation; two classes of how things go on.
class PairsPlanTest : public testing::Test {
 protected:
  const Sweep sweep_ = Everything();
  const SinglesPlan singles_{sweep_, kCalls, kEntries, false, 0};
};

TEST_F(PairsPlanTest, HasEveryFaultAtEveryCallAfterTheFirst) {
  const std::vector<FaultClass> classes = {
      {.first = 8, .members = 5, .after = {{kFree, 1, StepKind::kClose}}},
      {.first = 9,
       .members = 3,
       .after = {{kInit, 2, StepKind::kClose}, {kFree, 1, StepKind::kClose}}}};
  const PairsPlan pairs(singles_, classes, sweep_, kEntries);
  EXPECT_EQ(pairs.classes(), 2U);
  EXPECT_EQ(pairs.first_faults(), 8U);
  ASSERT_EQ(pairs.size(), 4U + 8 + 4) << "results times moments times spans at each call";
  std::set<std::string> names;
  for (uint64_t i = 0; i < pairs.size(); ++i) {
    const std::vector<Fault> faults = pairs.At(i);
    ASSERT_THAT(faults, SizeIs(2));
    EXPECT_EQ(faults[0], singles_.At(i < 4 ? 8 : 9)[0]);
    names.insert(faults[0].Name() + faults[1].Name());
  }
  EXPECT_EQ(names.size(), pairs.size());
  EXPECT_EQ(pairs.At(4)[1].entry, "cuInit");
  EXPECT_EQ(pairs.At(4)[1].nth, 2U);
  EXPECT_EQ(pairs.At(15)[1].entry, "cuMemFree_v2");
}

TEST_F(PairsPlanTest, HasNoSecondFaultWhereTheFirstStillFailsTheCall) {
  CallMade hit{kAlloc, 2, StepKind::kClose};
  hit.hit = true;
  const PairsPlan pairs(singles_, {{.first = 9, .members = 1, .after = {hit, hit}}}, sweep_,
                        kEntries);
  EXPECT_EQ(pairs.size(), 0U);
}

TEST_F(PairsPlanTest, IsEmptyWhenNothingIsCalledAfterTheFirst) {
  const PairsPlan pairs(singles_, {{.first = 0, .members = 1, .after = {}}}, sweep_, kEntries);
  EXPECT_EQ(pairs.size(), 0U);
}

}  // namespace
}  // namespace culprit::suites
