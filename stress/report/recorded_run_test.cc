// SPDX-License-Identifier: Apache-2.0
// The run recorded on an H200, judged again: real series with all their warm-ups, chunks and
// high-water marks. A change of the statistics that turns one of them over has to be meant.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "stress/probes/registry.h"
#include "stress/report/object_cost.h"
#include "stress/report/page.h"
#include "stress/report/recorded.h"

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Contents(const std::string& name) {
  std::ifstream file(std::string(STRESS_DATA) + "/" + name);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

class RecordedRunTest : public ::testing::Test {
 protected:
  // Once: the file holds a hundred thousand readings.
  static void SetUpTestSuite() {
    std::string error;
    ASSERT_TRUE(ReadKnownGrowth(Contents("known_growth.json"), "known_growth.json", &options_.known,
                                &error))
        << error;
    ASSERT_TRUE(ReadReport(Contents("run_h200_r580.json"), "run_h200_r580.json", options_,
                           FindProbe, &report_, &error))
        << error;
    ASSERT_GE(report_.results.size(), 30u);
  }

  static inline AssessOptions options_;
  static inline Report report_;
};

TEST_F(RecordedRunTest, EveryProbeIsFlatAgainstAControlThatWasSeen) {
  for (const ProbeResult& result : report_.results) {
    EXPECT_EQ(result.status, Status::kFlat) << result.probe->name << ": " << result.reason;
  }
}

TEST_F(RecordedRunTest, EveryControlOfKnownSizeIsMeasuredWithinATenth) {
  int known = 0;
  for (const ProbeResult& result : report_.results) {
    const auto planted = static_cast<double>(result.probe->planted_device_bytes);
    if (planted == 0) continue;
    ++known;
    const ResourceResult& device = result.resources.front();
    ASSERT_EQ(device.resource, Resource::kDeviceMemory);
    EXPECT_EQ(device.control_judgement->verdict, Verdict::kLeak) << result.probe->name;
    EXPECT_NEAR(device.control_judgement->line.slope, planted, planted / 10) << result.probe->name;
  }
  EXPECT_GE(known, 7);
}

TEST_F(RecordedRunTest, TheReferencePortIsFlatOverMoreThanTwoThousandLifeCycles) {
  const auto port =
      std::find_if(report_.results.begin(), report_.results.end(),
                   [](const ProbeResult& result) { return result.probe->name == "port_cycle"; });
  ASSERT_NE(port, report_.results.end());
  EXPECT_GE(port->cycles, 2000);
  EXPECT_EQ(port->status, Status::kFlat);
}

TEST_F(RecordedRunTest, TheRecordedCostsAreThoseOfTheRun) {
  EXPECT_EQ(CompareObjectCosts(report_, Contents("object_cost_h200_r580.json"), "costs", 0.001),
            "");
}

TEST_F(RecordedRunTest, WithoutTheKnownGrowthTheDriversOwnIsALeak) {
  Report unexcused;
  std::string error;
  ASSERT_TRUE(ReadReport(Contents("run_h200_r580.json"), "run", {}, FindProbe, &unexcused, &error));
  const std::set<std::string_view> own_growth = {"context", "extractor_cycle", "extractor_faults",
                                                 "primary_release", "thread_churn"};
  for (const ProbeResult& result : unexcused.results) {
    EXPECT_EQ(result.status,
              own_growth.contains(result.probe->name) ? Status::kLeak : Status::kFlat)
        << result.probe->name;
  }
}

TEST_F(RecordedRunTest, ThePageShowsEveryProbeAndDrawsNumbersOnly) {
  const std::string page = ToPage(report_);
  for (const ProbeResult& result : report_.results) {
    EXPECT_THAT(page, HasSubstr(fmt::format("<h2 id=\"{}\">", result.probe->name)));
  }
  EXPECT_THAT(page, HasSubstr("class=\"fit\""));
  EXPECT_THAT(page, HasSubstr("class=\"warm\""));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr("inf,")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));  // nothing is fetched from elsewhere
}

}  // namespace
}  // namespace culprit::stress
