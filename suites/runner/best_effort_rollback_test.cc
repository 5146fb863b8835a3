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
    call.status.domain = CULPRIT_DOMAIN_DRIVER;
    call.calls_after = 10;
    promises_.declares = [](const std::string& kind, const std::string& where) {
      return kind == "best_effort_rollback" && where == "state_init";
    };
  }

  // In the order of the driver calls that they hit.
  void Hit(const std::string& entry, uint64_t times, FaultSpan span = FaultSpan::kOnce) {
    PortCall& call = record_.calls.front();
    if (faults_.empty()) {
      call.status.cu_result = CUDA_ERROR_UNKNOWN;
      entry.copy(call.status.entry, sizeof(call.status.entry) - 1);
    }
    faults_.push_back({.entry = entry, .span = span, .result = CUDA_ERROR_UNKNOWN});
    call.fired_before.push_back(0);
    call.fired_after.push_back(times);
    record_.fired.push_back(times);
    const int id = static_cast<int>(faults_.size());
    record_.fault_ids.push_back(id);
    log_.push_back({.sequence = log_.size() + 1, .fault = id});
  }

  // The rules of the leaks that are held against the port.
  std::vector<std::string> Leaks() {
    const auto leaks = nlohmann::json::parse(
        R"([{"rule":"leak.stream","severity":"error","object":"stream #1, created by call 5"},
            {"rule":"leak.event","severity":"error","object":"event #1, created by call 6"},
            {"rule":"leak.reclaimed","severity":"error","object":"allocation #1, created by call 7"}
           ])");
    const Observation seen{.scenario = scenario_,
                           .settings = settings_,
                           .faults = faults_,
                           .swept = true,
                           .promises = promises_,
                           .record = record_,
                           .driver_findings = leaks,
                           .call_log = &log_,
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
  EntryTable entries_ = EntryTable::Read(nlohmann::json::parse(
      R"([{"symbol":"cuMemAlloc_v2","effect":"creates"},
          {"symbol":"cuStreamDestroy_v2","effect":"destroys"}])"));
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

TEST_F(BestEffortRollbackTest, ASecondAttemptToMakeSomethingIsNoRollback) {
  Hit("cuStreamSynchronize", 1);
  Hit("cuMemAlloc_v2", 1);
  EXPECT_THAT(Leaks(), kAll);
}

}  // namespace
}  // namespace culprit::suites
