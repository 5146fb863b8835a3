// SPDX-License-Identifier: Apache-2.0
#include "stress/report/object_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;

const ProbeInfo kProbe{.name = "stream", .summary = "", .object = "one stream"};

// A report whose one control leaks so many bytes a cycle of each kind of memory.
Report Measured(double device, double heap, const std::string& driver) {
  Trial clean;
  Trial control;
  clean.ending = control.ending = Ending::kDone;
  for (int64_t cycle = 0; cycle <= 400; cycle += 4) {
    Sample sample;
    sample.cycle = cycle;
    sample[Resource::kDeviceMemory] = sample[Resource::kHeap] = 0;
    clean.samples.push_back(sample);
    sample[Resource::kDeviceMemory] = static_cast<int64_t>(device * static_cast<double>(cycle));
    sample[Resource::kHeap] = static_cast<int64_t>(heap * static_cast<double>(cycle));
    control.samples.push_back(sample);
  }
  Report report;
  report.machine.driver_version = driver;
  report.results.push_back(Assess(kProbe, clean, control, {}));
  return report;
}

TEST(ObjectCostTest, ARunAgreesWithItself) {
  const Report report = Measured(570000, 16000, "580.1");
  EXPECT_EQ(CompareObjectCosts(report, ObjectCosts(report), "f", 0.1), "");
}

TEST(ObjectCostTest, ACostThatMovedIsNamedWithBothFigures) {
  const std::string recorded = ObjectCosts(Measured(570000, 16000, "580.1"));
  EXPECT_EQ(CompareObjectCosts(Measured(600000, 16000, "580.1"), recorded, "f", 0.1), "");
  EXPECT_THAT(CompareObjectCosts(Measured(700000, 16000, "580.1"), recorded, "f", 0.1),
              HasSubstr("stream: device memory of one object is 683.6 KiB, recorded 556.6 KiB"));
}

TEST(ObjectCostTest, HostMemoryIsComparedUnderTheSameDriverOnly) {
  const std::string recorded = ObjectCosts(Measured(570000, 16000, "580.1"));
  EXPECT_THAT(CompareObjectCosts(Measured(570000, 100, "580.1"), recorded, "f", 0.1),
              HasSubstr("heap in use"));
  EXPECT_EQ(CompareObjectCosts(Measured(570000, 100, "590.2"), recorded, "f", 0.1), "");
}

TEST(ObjectCostTest, ACostThatIsNoLongerSeenIsNamed) {
  const std::string recorded = ObjectCosts(Measured(570000, 16000, "580.1"));
  EXPECT_THAT(CompareObjectCosts(Measured(0, 16000, "580.1"), recorded, "f", 0.1),
              HasSubstr("device memory of one object is 0 B"));
}

TEST(ObjectCostTest, MalformedFilesAreTurnedDown) {
  const Report report = Measured(1, 1, "");
  EXPECT_THAT(CompareObjectCosts(report, "{", "f", 0.1), HasSubstr("f: "));
  EXPECT_THAT(CompareObjectCosts(report, "{}", "f", 0.1), HasSubstr("f: "));
  EXPECT_THAT(CompareObjectCosts(report, R"({"schema": "x"})", "f", 0.1), HasSubstr("not a file"));
  EXPECT_THAT(CompareObjectCosts(
                  report, R"({"schema": "culprit.object_cost/1", "driver": "", "objects": [{}]})",
                  "f", 0.1),
              HasSubstr("f: "));
}

}  // namespace
}  // namespace culprit::stress
