// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/best_effort_rollback.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const auto kAll = ElementsAre("leak.stream", "leak.event", "leak.reclaimed");

// A state_init that failed, and whose rollback is declared best effort, left a stream, an
// event and memory.
class BestEffortRollbackTest : public testing::Test {
 protected:
  BestEffortRollbackTest() {
    PortCall& call = record_.calls.emplace_back();
    call.kind = StepKind::kStateInit;
    call.returned = -EIO;
    call.calls_after = 10;
    promises_.declares = [](const std::string& kind, const std::string& where) {
      return kind == "best_effort_rollback" && where == "state_init";
    };
    Leave("leak.stream", "stream #1, created by call 5");
    Leave("leak.event", "event #1, created by call 6");
    Leave("leak.reclaimed", "allocation #1, created by call 7");
  }

  // One more fault fires, `times` calls in a row. The first of all is what the call reports.
  void Hit(const std::string& entry, uint64_t times, FaultSpan span = FaultSpan::kOnce) {
    if (faults_.empty()) Report(entry);
    faults_.push_back({.entry = entry, .span = span, .result = CUDA_ERROR_UNKNOWN});
    PortCall& call = record_.calls.front();
    call.fired_before.push_back(0);
    call.fired_after.push_back(times);
    record_.fired.push_back(times);
    const int id = static_cast<int>(faults_.size());
    record_.fault_ids.push_back(id);
    for (uint64_t i = 0; i < times; ++i) log_.push_back({.sequence = log_.size() + 1, .fault = id});
  }

  void Report(const std::string& entry) {
    culprit_status& status = record_.calls.front().status;
    status = {};
    status.domain = CULPRIT_DOMAIN_DRIVER;
    status.cu_result = CUDA_ERROR_UNKNOWN;
    entry.copy(status.entry, sizeof(status.entry) - 1);
  }

  void Leave(const char* rule, const char* object) {
    left_.push_back({{"rule", rule}, {"severity", "error"}, {"object", object}});
  }

  // The rules of the leaks that are held against the port.
  std::vector<std::string> Leaks() {
    const Observation seen{.scenario = scenario_,
                           .settings = settings_,
                           .faults = faults_,
                           .swept = true,
                           .promises = promises_,
                           .record = record_,
                           .driver_findings = left_,
                           .call_log = keep_log_ ? &log_ : nullptr,
                           .entries = &entries_};
    Findings findings;
    JudgeDriverFindings(seen, &findings);
    std::vector<std::string> rules;
    for (const Finding& finding : findings) {
      if (finding.IsError()) rules.push_back(finding.id);
    }
    return rules;
  }

  Scenario scenario_;
  Settings settings_;
  std::vector<Fault> faults_;
  Promises promises_;
  LifeCycleRecord record_;
  std::vector<DriverCall> log_;
  nlohmann::json left_ = nlohmann::json::array();
  bool keep_log_ = true;
  EntryTable entries_ = EntryTable::Read(nlohmann::json::parse(
      R"([{"symbol":"cuMemAlloc_v2","effect":"creates","needs":"current"},
          {"symbol":"cuMemFree_v2","effect":"destroys","needs":"owner_at_teardown"},
          {"symbol":"cuStreamDestroy_v2","effect":"destroys","needs":"owner_at_teardown"},
          {"symbol":"cuEventDestroy_v2","effect":"destroys","needs":"owner_at_teardown"},
          {"symbol":"cuDevicePrimaryCtxRelease_v2","effect":"destroys","needs":"initialized"},
          {"symbol":"cuCtxDestroy_v2","effect":"destroys","needs":"initialized"},
          {"symbol":"cuCtxDetach","effect":"destroys","needs":"current"}])"));
};

TEST_F(BestEffortRollbackTest, ASecondFaultThatHitsTheRollbackExcusesWhatIsLeft) {
  Hit("cuMemAlloc_v2", 1);
  Hit("cuStreamDestroy_v2", 1);
  EXPECT_THAT(Leaks(), IsEmpty());
  promises_ = {};
  EXPECT_THAT(Leaks(), kAll) << "nothing is declared";
}

TEST_F(BestEffortRollbackTest, OneFaultExcusesNothing) {
  Hit("cuMemAlloc_v2", 1);
  EXPECT_THAT(Leaks(), kAll);
}

TEST_F(BestEffortRollbackTest, AFaultThatStaysExcusesNothingThatCouldBeReleasedAllTheSame) {
  Hit("cuMemAlloc_v2", 2, FaultSpan::kSticky);
  EXPECT_THAT(Leaks(), kAll);
}

TEST_F(BestEffortRollbackTest, AFaultThatStaysExcusesTheObjectsWhoseReleaseItHits) {
  Hit("cuStreamDestroy_v2", 2, FaultSpan::kSticky);
  EXPECT_THAT(Leaks(), ElementsAre("leak.event", "leak.reclaimed"));
}

TEST_F(BestEffortRollbackTest, AnObjectThatItsContextTookAlongIsKnownByItsKind) {
  Hit("cuMemFree_v2", 2, FaultSpan::kSticky);
  EXPECT_THAT(Leaks(), ElementsAre("leak.stream", "leak.event"));
}

TEST_F(BestEffortRollbackTest, AFaultThatStaysExcusesAllWhereNoContextCanBeMadeCurrent) {
  Hit("cuCtxPushCurrent_v2", 2, FaultSpan::kSticky);
  EXPECT_THAT(Leaks(), IsEmpty());
}

TEST_F(BestEffortRollbackTest, WithoutAContextOnlyWhatNeedsOneMayBeLeft) {
  Hit("cuCtxPushCurrent_v2", 2, FaultSpan::kSticky);
  Leave("primary.unbalanced_retain", "primary retain #1, created by call 4");
  Leave("leak.context", "context #1, created by call 4");
  Leave("leak.user_object", "user object #1, created by call 4");
  EXPECT_THAT(Leaks(),
              ElementsAre("primary.unbalanced_retain", "leak.context", "leak.user_object"));
}

TEST_F(BestEffortRollbackTest, AHitAtAReleaseAccountsForOneObject) {
  Hit("cuEventDestroy_v2", 3, FaultSpan::kSticky);
  Leave("leak.event", "event #2, created by call 8");
  EXPECT_THAT(Leaks(), ElementsAre("leak.stream", "leak.reclaimed"));
  Leave("leak.event", "event #3, created by call 9");
  EXPECT_THAT(Leaks(), ElementsAre("leak.stream", "leak.reclaimed", "leak.event"));
}

TEST_F(BestEffortRollbackTest, TheFirstFailureOfAFaultThatStaysIsCountedWithoutALogToo) {
  Hit("cuEventDestroy_v2", 2, FaultSpan::kSticky);
  Leave("leak.event", "event #2, created by call 8");
  keep_log_ = false;
  EXPECT_THAT(Leaks(), ElementsAre("leak.stream", "leak.reclaimed", "leak.event"));
}

TEST_F(BestEffortRollbackTest, AReleaseThatFailsAfterItsEffectLeavesNothing) {
  Hit("cuStreamDestroy_v2", 3, FaultSpan::kSticky);
  faults_.front().when = FaultWhen::kAfter;
  EXPECT_THAT(Leaks(), kAll);
}

TEST_F(BestEffortRollbackTest, WhatWasMadeGoodBeforeTheFailureExcusesNothing) {
  Hit("cuCtxPopCurrent_v2", 1);
  Hit("cuStreamSynchronize", 1);
  Report("cuStreamSynchronize");
  EXPECT_THAT(Leaks(), kAll);
}

TEST_F(BestEffortRollbackTest, ASecondFaultCountsBehindTheOneThatIsReportedWhateverWasMadeGood) {
  Hit("cuCtxPopCurrent_v2", 1);
  Hit("cuStreamSynchronize", 1);
  Hit("cuStreamDestroy_v2", 1);
  Report("cuStreamSynchronize");
  EXPECT_THAT(Leaks(), IsEmpty());
}

TEST_F(BestEffortRollbackTest, AFailureThatIsReportedLateComesBeforeWhateverFiresInTheCall) {
  Hit("cuStreamSynchronize", 0);
  Hit("cuStreamDestroy_v2", 1);
  record_.calls.front().fired_before[0] = record_.calls.front().fired_after[0] = 1;
  EXPECT_THAT(Leaks(), IsEmpty());
}

TEST_F(BestEffortRollbackTest, ASecondAttemptToMakeSomethingIsNoRollback) {
  Hit("cuStreamSynchronize", 1);
  Hit("cuMemAlloc_v2", 1);
  EXPECT_THAT(Leaks(), kAll);
}

}  // namespace
}  // namespace culprit::suites
