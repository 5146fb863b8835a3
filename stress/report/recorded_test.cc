// SPDX-License-Identifier: Apache-2.0
#include "stress/report/recorded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const ProbeInfo kProbe{.name = "thing", .summary = "", .object = "one thing"};

const ProbeInfo* FindThing(std::string_view name) { return name == "thing" ? &kProbe : nullptr; }

Report SmallReport() {
  Report report;
  report.date = "2026-01-02T03:04:05Z";
  report.machine = {"NVIDIA X", "580.1", "13.0", "/lib/libcuda.so.1"};
  Trial clean;
  clean.ending = Ending::kDone;
  clean.pair_names = {"cuA / cuB"};
  clean.machine = report.machine;
  for (int64_t cycle = 0; cycle <= 100; ++cycle) {
    Sample sample;
    sample.cycle = 7 * cycle;
    sample[Resource::kHeap] = 5000 + 64 * cycle;
    sample[Resource::kThreads] = 3;
    clean.samples.push_back(sample);
  }
  report.results.push_back(Assess(kProbe, clean, clean, {}));
  return report;
}

TEST(RecordedTest, WhatWasWrittenIsReadBackAndJudgedTheSame) {
  const Report written = SmallReport();
  Report read;
  std::string error;
  ASSERT_TRUE(ReadReport(ToJson(written), "f", {}, FindThing, &read, &error)) << error;
  EXPECT_EQ(ToJson(read), ToJson(written));
  ASSERT_THAT(read.results, SizeIs(1));
  EXPECT_EQ(read.results[0].status, Status::kLeak);
  EXPECT_EQ(read.results[0].clean.samples[3][Resource::kDeviceMemory], kUnavailable);
}

TEST(RecordedTest, OtherThresholdsCanBeTriedOnTheSameSeries) {
  AssessOptions options;
  options.tolerance[static_cast<size_t>(Resource::kHeap)] = 100;
  Report read;
  std::string error;
  ASSERT_TRUE(ReadReport(ToJson(SmallReport()), "f", options, FindThing, &read, &error)) << error;
  EXPECT_EQ(read.results[0].resources[0].clean_judgement.verdict, Verdict::kFlat);
}

TEST(RecordedTest, ALaterFileReplacesTheSameProbe) {
  Report read;
  std::string error;
  ASSERT_TRUE(ReadReport(ToJson(SmallReport()), "f", {}, FindThing, &read, &error)) << error;
  ASSERT_TRUE(ReadReport(ToJson(SmallReport()), "g", {}, FindThing, &read, &error)) << error;
  EXPECT_THAT(read.results, SizeIs(1));
}

TEST(RecordedTest, MalformedFilesAreTurnedDownWithFileProbeAndRule) {
  const std::string good = ToJson(SmallReport());
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "f: "},
      {"3", "f: "},
      {"{}", "f: "},
      {with("culprit.stress/1", "culprit.stress/9"), "f: the schema is not culprit.stress/1"},
      {with("[0,7,14", "[0,7,7"), "f: thing: the cycles do not ascend"},
      {with("[0,7,14", "[0,14"), "f: thing: heap has 101 readings for 100 cycles"},
      {with("\"heap\":{\"first\"", "\"gold\":{\"first\""), "f: thing: no resource is 'gold'"},
      {with("\"since\":[0,", "\"since\":[\"x\","), "f: thing: "},
      {good.substr(0, good.size() / 2), "f: "},
  };
  for (const auto& [text, expected] : cases) {
    Report read;
    std::string error;
    EXPECT_FALSE(ReadReport(text, "f", {}, FindThing, &read, &error)) << expected;
    EXPECT_THAT(error, HasSubstr(expected));
  }
}

}  // namespace
}  // namespace culprit::stress
