// SPDX-License-Identifier: Apache-2.0
// Whole runs against the fake driver, whose memory model has the recorded cost of each kind of
// object. Its host memory is its own bookkeeping, so only device memory and handles are judged
// here.
#include "stress/run/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "stress/probes/registry.h"
#include "stress/report/object_cost.h"

namespace culprit::stress {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CampaignTest : public ::testing::Test {
 protected:
  CampaignTest() {
    options_.trial.driver = CULPRIT_FAKE_LIBRARY;
    options_.trial.nvml = STRESS_FAKE_NVML;
    options_.trial.silence_seconds = 60;
    options_.assess.watched = {Resource::kDeviceMemory, Resource::kHandles};
  }
  ~CampaignTest() override { unsetenv("CULPRIT_FAKE_NVML"); }

  static const ProbeInfo& Probe(std::string_view name) {
    const ProbeInfo* probe = FindProbe(name);
    EXPECT_NE(probe, nullptr) << name;
    return *probe;
  }
  ProbeResult Run(std::string_view name) { return RunProbe(Probe(name), options_, {}); }

  CampaignOptions options_;
};

TEST_F(CampaignTest, CleanProbesAreFlatAndTheirControlsAreFoundWithTheRecordedCost) {
  Report report;
  for (std::string_view name :
       {"stream", "device_memory", "device_memory_small", "pitched_memory", "context",
        "module_load", "module_images", "library", "graph", "async_memory", "primary_release"}) {
    report.results.push_back(Run(name));
    EXPECT_EQ(report.results.back().status, Status::kFlat) << report.results.back().reason;
  }
  std::ifstream file(STRESS_OBJECT_COST);
  const std::string recorded{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(CompareObjectCosts(report, recorded, STRESS_OBJECT_COST, 0.1), "");
}

TEST_F(CampaignTest, ALeakInTheCleanLoopIsFoundWithItsBytes) {
  TrialPlan plan = options_.trial;
  plan.cycles = 800;
  plan.leak = 0;
  Trial leaking = RunTrial(Probe("device_memory"), plan);
  ASSERT_EQ(leaking.ending, Ending::kDone) << leaking.reason;
  const ProbeResult result =
      Assess(Probe("device_memory"), std::move(leaking), std::nullopt, options_.assess);
  EXPECT_EQ(result.status, Status::kLeak);
  ASSERT_THAT(result.resources, SizeIs(2));
  EXPECT_NEAR(result.resources[0].clean_judgement.line.slope, 2 << 20, (2 << 20) / 10.0);
}

TEST_F(CampaignTest, BisectionNamesThePairWhoseReleaseWasLeftOut) {
  options_.cycles = 200;
  const BisectResult result = BisectProbe(Probe("primary_release"), options_, 0, {});
  ASSERT_EQ(result.whole.ending, Ending::kDone) << result.whole.reason;
  ASSERT_THAT(result.groups, SizeIs(1));
  EXPECT_THAT(result.groups[0].pairs,
              ElementsAre("0: cuDevicePrimaryCtxRetain / cuDevicePrimaryCtxRelease"));
  EXPECT_THAT(result.groups[0].growth, ::testing::Contains(HasSubstr("device memory: ")));
}

TEST_F(CampaignTest, BisectionOfACleanCycleAccusesNobody) {
  const BisectResult result = BisectProbe(Probe("stream"), options_, std::nullopt, {});
  EXPECT_EQ(result.whole.ending, Ending::kDone);
  EXPECT_THAT(result.groups, IsEmpty());
}

TEST_F(CampaignTest, AnUnsureProbeRunsAgainWithTheCyclesItAskedFor) {
  options_.cycles = 20;
  EXPECT_EQ(Run("stream").status, Status::kUnsure);
  options_.most_cycles = 20000;
  const ProbeResult result = Run("stream");
  EXPECT_EQ(result.status, Status::kFlat) << result.reason;
  EXPECT_GT(result.cycles, 20);
}

TEST_F(CampaignTest, NvmlFiguresAreTakenWhereTheyExist) {
  setenv("CULPRIT_FAKE_NVML", "bytes=3000000", 1);
  options_.assess.watched = {Resource::kProcessDeviceMemory};
  options_.control = false;
  const ProbeResult result = Run("stream");
  EXPECT_EQ(result.status, Status::kFlat) << result.reason;
  ASSERT_THAT(result.resources, SizeIs(1));
  EXPECT_EQ(result.resources[0].clean.front().value, 3000000);
  EXPECT_EQ(result.clean.machine.driver_version, "999.10.01");
}

TEST_F(CampaignTest, AWithheldNvmlFigureIsSaidAndTheRestGoesOn) {
  setenv("CULPRIT_FAKE_NVML", "withheld", 1);
  const ProbeResult result = Run("stream");
  EXPECT_EQ(result.status, Status::kFlat) << result.reason;
  EXPECT_THAT(result.clean.why_no_nvml, HasSubstr("does not list this process"));
}

TEST_F(CampaignTest, ManagedMemoryHoldsNoDeviceMemoryUntilItIsTouched) {
  const ProbeResult result = Run("managed_memory");
  ASSERT_THAT(result.resources, SizeIs(2));
  EXPECT_EQ(result.resources[0].control_judgement->verdict, Verdict::kFlat);
  EXPECT_EQ(result.resources[1].control_judgement->verdict, Verdict::kLeak);
}

TEST_F(CampaignTest, AnExecutableGraphThatIsLostIsCounted) {
  options_.cycles = 300;
  const ProbeResult result = Run("graph_exec_user_object");
  ASSERT_THAT(result.resources, SizeIs(2));
  EXPECT_EQ(result.resources[1].resource, Resource::kHandles);
  EXPECT_EQ(result.resources[1].clean_judgement.verdict, Verdict::kFlat);
  EXPECT_EQ(result.resources[1].control_judgement->verdict, Verdict::kLeak);
}

TEST_F(CampaignTest, EachDriverCallOfAPortFailsInTurnAndNothingIsKept) {
  options_.trial.port = STRESS_PORT;
  // A life of all extractors takes the fake seconds.
  options_.cycles = 14;
  options_.control = false;
  const ProbeResult result = Run("port_faults");
  ASSERT_EQ(result.clean.ending, Ending::kDone) << result.reason;
  ASSERT_THAT(result.resources, SizeIs(2));
  EXPECT_EQ(result.resources[1].resource, Resource::kHandles);
  EXPECT_EQ(result.resources[1].clean_judgement.verdict, Verdict::kFlat);
}

TEST_F(CampaignTest, ADeviceThatIsNotThereSkipsWithTheCount) {
  options_.trial.device = 99;
  const ProbeResult result = Run("stream");
  EXPECT_EQ(result.status, Status::kSkipped);
  EXPECT_THAT(result.reason, HasSubstr("no device 99"));
}

}  // namespace
}  // namespace culprit::stress
