// SPDX-License-Identifier: Apache-2.0
//
// Each oracle on records made by hand: one that it must pass, and for each promise one that breaks
// it.
#include "suites/runner/oracle.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace culprit::suites {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

culprit_status DriverError(int32_t result, const char* entry) {
  culprit_status status{};
  status.size = sizeof(status);
  status.error = -EIO;
  status.domain = CULPRIT_DOMAIN_DRIVER;
  status.cu_result = result;
  std::strncpy(status.entry, entry, sizeof(status.entry) - 1);
  return status;
}

// A scene for the oracles: calls into the port, one after the other, under some faults.
class Scene {
 public:
  Scene() {
    record.driver_calls = 1;
    record.completed = true;
  }

  PortCall& Call(StepKind kind) {
    PortCall& call = record.calls.emplace_back();
    call.kind = kind;
    call.calls_before = record.driver_calls;
    call.calls_after = record.driver_calls += 10;
    call.fired_before.resize(faults.size());
    call.fired_after.resize(faults.size());
    return call;
  }
  PortCall& FailedCall(StepKind kind, const culprit_status& status) {
    PortCall& call = Call(kind);
    call.returned = status.error;
    call.status = status;
    return call;
  }
  void Plan(Fault fault) { faults.push_back(std::move(fault)); }

  std::vector<std::string> Errors() { return OfErrors(&Finding::id); }
  std::vector<std::string> Messages() { return OfErrors(&Finding::message); }

  std::vector<std::string> OfErrors(std::string Finding::*field) {
    record.fired.resize(faults.size());
    for (const PortCall& call : record.calls) {
      for (size_t i = 0; i < faults.size(); ++i) {
        record.fired[i] = std::max(record.fired[i], call.fired_after[i]);
      }
    }
    const Observation seen{.scenario = scenario,
                           .settings = settings,
                           .faults = faults,
                           .swept = true,
                           .promises = promises,
                           .record = record,
                           .driver_findings = driver_findings,
                           .baseline = baseline,
                           .expected = nullptr,
                           .call_log = nullptr};
    std::vector<std::string> texts;
    for (const Finding& finding : Judge(seen)) {
      if (finding.IsError()) texts.push_back(finding.*field);
    }
    return texts;
  }

  Scenario scenario;
  Settings settings;
  std::vector<Fault> faults;
  Promises promises;
  LifeCycleRecord record;
  nlohmann::json driver_findings = nlohmann::json::array();
  const std::vector<ScoreSeries>* baseline = nullptr;
};

Fault AllocationFails(FaultSpan span = FaultSpan::kOnce) {
  return {.entry = "cuMemAlloc_v2", .span = span, .result = CUDA_ERROR_OUT_OF_MEMORY};
}

TEST(OracleTest, HasNothingToSayAboutALifeCycleWithoutFailures) {
  Scene scene;
  scene.Call(StepKind::kOpen);
  scene.Call(StepKind::kClose);
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, AcceptsAnInjectedErrorThatIsReportedByResultAndEntry) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.FailedCall(StepKind::kOpen, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc"))
      .fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAnErrorThatNobodyReported) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.Call(StepKind::kOpen).fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), ElementsAre("port.error_swallowed"));
}

TEST(OracleTest, DescribesAnErrorThatIsNotTheDriversWithoutAnEntry) {
  Scene scene;
  culprit_status status{};
  status.error = -ENOSYS;
  status.domain = CULPRIT_DOMAIN_HOST;
  std::strcpy(status.message, "open is not written yet");
  scene.FailedCall(StepKind::kOpen, status);
  EXPECT_THAT(scene.Messages(),
              testing::ElementsAre("open failed although no fault was in force: host error (-38, "
                                   "Function not implemented): open is not written yet"));
}

// As a worker's does: the harness sees the counter differ from what the call before left.
TEST(OracleTest, AcceptsAnErrorThatFiredBetweenTwoCallsAndIsReportedByALaterOne) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.Call(StepKind::kSubmit);
  PortCall& next = scene.Call(StepKind::kSubmit);
  next.fired_before[0] = next.fired_after[0] = 1;
  PortCall& flush =
      scene.FailedCall(StepKind::kFlush, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2"));
  flush.fired_before[0] = flush.fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAnErrorThatFiredBetweenTwoCallsAndWasReplaced) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.Call(StepKind::kSubmit);
  PortCall& flush =
      scene.FailedCall(StepKind::kFlush, DriverError(CUDA_ERROR_INVALID_HANDLE, "cuEventRecord"));
  flush.fired_before[0] = flush.fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), Contains("port.first_error_lost"));
}

TEST(OracleTest, NamesALaterErrorInPlaceOfTheFirst) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.FailedCall(StepKind::kOpen, DriverError(CUDA_ERROR_INVALID_HANDLE, "cuStreamDestroy_v2"))
      .fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), ElementsAre("port.first_error_lost"));
}

TEST(OracleTest, WaitsForADeferredReport) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.Call(StepKind::kSubmit).fired_after[0] = 1;
  scene.FailedCall(StepKind::kFlush, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2"));
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAFailureThatNoFaultExplains) {
  Scene scene;
  scene.FailedCall(StepKind::kClose, DriverError(CUDA_ERROR_INVALID_HANDLE, "cuStreamDestroy_v2"));
  EXPECT_THAT(scene.Errors(), ElementsAre("port.unexpected_failure"));
}

TEST(OracleTest, LetsAPopThatWasMadeGoodStaySilent) {
  Scene scene;
  scene.Plan({.entry = "cuCtxPopCurrent_v2", .result = CUDA_ERROR_INVALID_CONTEXT});
  scene.Call(StepKind::kOpen).fired_after[0] = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAContextThatWasLeftBehind) {
  Scene scene;
  scene.Call(StepKind::kOpen).after.depth = 1;
  EXPECT_THAT(scene.Errors(), ElementsAre("context.stack_imbalance"));
}

TEST(OracleTest, NamesAContextThatWasLeftBehindAfterOneFailedPop) {
  Scene scene;
  scene.Plan({.entry = "cuCtxPopCurrent_v2", .result = CUDA_ERROR_INVALID_CONTEXT});
  PortCall& call = scene.Call(StepKind::kOpen);
  call.fired_after[0] = 1;
  call.after.depth = 1;
  EXPECT_THAT(scene.Errors(), ElementsAre("context.stack_imbalance"));
}

TEST(OracleTest, DemandsNoRestorationWhenEveryPopFails) {
  Scene scene;
  scene.Plan({.entry = "cuCtxPopCurrent_v2",
              .span = FaultSpan::kSticky,
              .result = CUDA_ERROR_INVALID_CONTEXT});
  PortCall& call = scene.FailedCall(StepKind::kOpen,
                                    DriverError(CUDA_ERROR_INVALID_CONTEXT, "cuCtxPopCurrent_v2"));
  call.fired_after[0] = 2;
  call.after.depth = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, ExcusesAPushThatTookEffectAndSaidItFailed) {
  Scene scene;
  scene.Plan({.entry = "cuCtxPushCurrent_v2",
              .when = FaultWhen::kAfter,
              .result = CUDA_ERROR_INVALID_CONTEXT});
  PortCall& call = scene.FailedCall(StepKind::kOpen,
                                    DriverError(CUDA_ERROR_INVALID_CONTEXT, "cuCtxPushCurrent_v2"));
  call.fired_after[0] = 1;
  call.after.depth = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAPlannedFaultThatNeverFired) {
  Scene scene;
  scene.Plan(AllocationFails());
  scene.Call(StepKind::kOpen);
  EXPECT_THAT(scene.Errors(), ElementsAre("fault.not_fired"));
}

TEST(OracleTest, NamesARetryThatNeverReachesZero) {
  Scene scene;
  scene.Plan({.entry = "cuStreamDestroy", .result = CUDA_ERROR_INVALID_HANDLE});
  const culprit_status error = DriverError(CUDA_ERROR_INVALID_HANDLE, "cuStreamDestroy_v2");
  scene.FailedCall(StepKind::kClose, error).fired_after[0] = 1;
  PortCall& retry = scene.FailedCall(StepKind::kClose, error);
  retry.attempt = 2;
  retry.fired_before[0] = retry.fired_after[0] = 1;
  scene.record.owner_left = true;
  EXPECT_THAT(scene.Errors(), ElementsAre("port.unexpected_failure", "port.retry_failed"));
}

TEST(OracleTest, ComparesScoresOfARunThatClaimsSuccess) {
  const std::vector<ScoreSeries> baseline = {{"key", {1.0, 2.0}}};
  Scene scene;
  scene.baseline = &baseline;
  scene.Call(StepKind::kFlush);
  scene.record.scores_read = true;
  scene.record.scores = {{"key", {1.0, 2.0}}};
  EXPECT_THAT(scene.Errors(), IsEmpty());
  scene.record.scores[0].values[1] = 2.0000001;
  EXPECT_THAT(scene.Errors(), ElementsAre("port.scores_wrong"));
}

TEST(OracleTest, DoesNotCompareScoresOfARunThatReportedAnError) {
  const std::vector<ScoreSeries> baseline = {{"key", {1.0}}};
  Scene scene;
  scene.baseline = &baseline;
  scene.Plan(AllocationFails());
  scene.FailedCall(StepKind::kSubmit, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2"))
      .fired_after[0] = 1;
  scene.record.scores_read = true;
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, PassesOnWhatTheDriverFound) {
  Scene scene;
  scene.Call(StepKind::kOpen);
  scene.driver_findings = nlohmann::json::parse(
      R"([{"rule":"leak.stream","severity":"error","message":"m","handle":"0x10","call":0},
          {"rule":"leak.stream","severity":"error","message":"m","handle":"0x10","harness":true},
          {"rule":"stream.destroyed_busy","severity":"warning","message":"m","handle":"0x10"}])");
  EXPECT_THAT(scene.Errors(), ElementsAre("leak.stream"));
  scene.scenario.expect.warnings_fail = true;
  EXPECT_THAT(scene.Errors(), ElementsAre("leak.stream", "stream.destroyed_busy"));
}

Fault PopFails(uint64_t nth, FaultWhen when = FaultWhen::kBefore,
               FaultSpan span = FaultSpan::kOnce) {
  return {.entry = "cuCtxPopCurrent_v2",
          .nth = nth,
          .when = when,
          .span = span,
          .result = CUDA_ERROR_INVALID_CONTEXT};
}

TEST(OracleTest, DemandsAReportInPlaceOfRestorationWhenThePopAndItsRetryFail) {
  Scene scene;
  scene.Plan(PopFails(1));
  scene.Plan(PopFails(2));
  PortCall& call = scene.FailedCall(StepKind::kSubmit,
                                    DriverError(CUDA_ERROR_INVALID_CONTEXT, "cuCtxPopCurrent_v2"));
  call.fired_after = {1, 1};
  call.after.depth = 1;
  EXPECT_THAT(scene.Errors(), IsEmpty());
  call.fired_after = {1, 0};
  EXPECT_THAT(scene.Errors(), testing::Contains("context.stack_imbalance"))
      << "one failed pop is made good";
}

TEST(OracleTest, DemandsRestorationOfACallThatClaimsSuccess) {
  Scene scene;
  scene.Plan(PopFails(1));
  scene.Plan(PopFails(2));
  PortCall& call = scene.Call(StepKind::kSubmit);
  call.fired_after = {1, 1};
  call.after.depth = 1;
  EXPECT_THAT(scene.Errors(), testing::Contains("context.stack_imbalance"));
}

TEST(OracleTest, AcceptsTheSecondErrorWhereThePopThatCameFirstWasMadeGood) {
  Scene scene;
  scene.Plan(PopFails(1, FaultWhen::kAfter, FaultSpan::kSticky));
  scene.Plan(AllocationFails());
  PortCall& call =
      scene.FailedCall(StepKind::kSubmit, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2"));
  call.fired_after = {1, 1};
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, TakesTheStickyFaultThatIsStillInForce) {
  Scene scene;
  scene.Plan(PopFails(1, FaultWhen::kBefore, FaultSpan::kSticky));
  scene.Plan(AllocationFails(FaultSpan::kSticky));
  PortCall& call =
      scene.FailedCall(StepKind::kClose, DriverError(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2"));
  call.sticky_in_force = 1;
  scene.record.fired = {1, 1};
  EXPECT_THAT(scene.Errors(), testing::Not(testing::Contains("port.first_error_lost")));
}

TEST(OracleTest, KnowsTheVariantsOfAnEntry) {
  EXPECT_EQ(LookupName("cuMemcpyAsync_ptsz"), "cuMemcpyAsync");
  EXPECT_EQ(LookupName("cuMemFree_v2"), "cuMemFree");
  EXPECT_EQ(LookupName("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
  EXPECT_EQ(LookupName("cuGraph_value"), "cuGraph_value");
  EXPECT_TRUE(SameEntry("cuMemFree", "cuMemFree_v2"));
  EXPECT_FALSE(SameEntry("cuMemFree", "cuMemFreeHost"));
}

// Cycles that leave so many of something behind.
std::vector<HostUse> Cycles(std::initializer_list<int64_t> left, int64_t HostUse::*what) {
  std::vector<HostUse> cycles;
  for (const int64_t count : left) cycles.emplace_back().*what = count;
  return cycles;
}

TEST(OracleTest, NamesADriverLibraryThatEveryCycleLeavesOpen) {
  Scene scene;
  scene.scenario.expect.steady = true;
  scene.record.host_use_after_cycle = Cycles({2, 3, 4, 5}, &HostUse::driver_references);
  EXPECT_THAT(scene.Errors(), ElementsAre("leak.driver_library"));
}

TEST(OracleTest, LetsTheFirstCycleKeepWhatTheOthersUse) {
  Scene scene;
  scene.scenario.expect.steady = true;
  scene.record.host_use_after_cycle = Cycles({2, 2, 2, 2}, &HostUse::driver_references);
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAHeapThatGrowsInEveryCycle) {
  Scene scene;
  scene.scenario.expect.steady = true;
  scene.record.host_use_after_cycle = Cycles({10, 11, 12}, &HostUse::heap_blocks);
  EXPECT_THAT(scene.Errors(), ElementsAre("leak.heap"));
}

TEST(OracleTest, LetsAHeapGrowNowAndThen) {
  Scene scene;
  scene.scenario.expect.steady = true;
  scene.record.host_use_after_cycle = Cycles({10, 11, 11, 14}, &HostUse::heap_blocks);
  EXPECT_THAT(scene.Errors(), IsEmpty());
}

TEST(OracleTest, NamesAMutexThatWasDestroyedLocked) {
  Scene scene;
  scene.record.locked_mutexes = 1;
  EXPECT_THAT(scene.Errors(), ElementsAre("port.locked_mutex_destroyed"));
}

}  // namespace
}  // namespace culprit::suites
