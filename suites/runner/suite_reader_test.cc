// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/suite_reader.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kHead = R"(suite: close
version: 3
title: It closes
subject: {kind: extractor}
)";

Suite Parse(const std::string& rest) { return ParseSuite(kHead + rest, "folder/close.yaml"); }

// What the reader says about a text that it must refuse.
std::string Refusal(const std::string& text) {
  try {
    ParseSuite(text, "folder/close.yaml");
  } catch (const SuiteError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SuiteReaderTest, ReadsTheShortestSuiteThatMakesSense) {
  const Suite suite = Parse("steps: [open, close]\n");
  EXPECT_EQ(suite.name, "close");
  EXPECT_EQ(suite.version, 3U);
  ASSERT_EQ(suite.scenarios.size(), 1U);
  EXPECT_EQ(suite.scenarios[0].name, "life_cycle");
  ASSERT_EQ(suite.scenarios[0].steps.size(), 2U);
  EXPECT_EQ(suite.scenarios[0].steps[1].kind, StepKind::kClose);
  EXPECT_TRUE(suite.scenarios[0].steps[1].until_zero);
  EXPECT_FALSE(suite.scenarios[0].sweep.has_value());
  EXPECT_THAT(suite.profiles, ElementsAre("r580", "strict"));
}

TEST(SuiteReaderTest, ReadsStepsWithArgumentsThreadAndExpectedFailure) {
  const Suite suite = Parse(R"(steps:
  - {submit: {from: 2, count: 3}, thread: 1}
  - {import: , fails_with: EINVAL}
  - {open: , fails_with: CUDA_ERROR_OUT_OF_MEMORY}
  - {operate: drop, with: {name: a}}
)");
  const std::vector<Step>& steps = suite.scenarios[0].steps;
  EXPECT_EQ(steps[0].first_frame, 2U);
  EXPECT_EQ(steps[0].frame_count, 3U);
  EXPECT_EQ(steps[0].thread, 1U);
  EXPECT_EQ(steps[1].fails_with->error, -EINVAL);
  EXPECT_EQ(steps[2].fails_with->cu_result, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(steps[3].operation, "drop");
  EXPECT_THAT(steps[3].options, ElementsAre(std::pair("name", "a")));
}

TEST(SuiteReaderTest, ReadsFaultsSweepAndExpectations) {
  const Suite suite = Parse(R"(steps: [open, close]
scenarios:
  - name: planned
    faults: [{entry: cuEventCreate, nth: 2, span: sticky, after: CUDA_ERROR_UNKNOWN}]
    expect: {live: {streams: 0}, reported: {result: CUDA_ERROR_UNKNOWN, step: open}, warnings: fail}
  - name: swept
    sweep: {during: [close], when: [before, after], results: documented}
)");
  const Fault& fault = suite.scenarios[0].faults[0];
  EXPECT_EQ(fault.nth, 2U);
  EXPECT_EQ(fault.when, FaultWhen::kAfter);
  EXPECT_EQ(fault.span, FaultSpan::kSticky);
  EXPECT_TRUE(suite.scenarios[0].expect.warnings_fail);
  EXPECT_EQ(suite.scenarios[0].expect.reported->step, StepKind::kOpen);
  EXPECT_EQ(suite.scenarios[1].sweep->results, Sweep::Results::kDocumented);
  EXPECT_THAT(suite.scenarios[1].sweep->during, ElementsAre(StepKind::kClose));
  EXPECT_THAT(suite.scenarios[1].faults, IsEmpty());
}

TEST(SuiteReaderTest, ScenariosInheritTheSuitesStepsAndSweepAndMayReplaceThem) {
  const Suite suite = Parse(R"(steps: [open, close]
sweep: {span: [sticky]}
scenarios:
  - name: inherits
  - name: replaces
    steps: [open]
    sweep: {span: [once]}
)");
  EXPECT_EQ(suite.scenarios[0].steps.size(), 2U);
  EXPECT_THAT(suite.scenarios[0].sweep->span, ElementsAre(FaultSpan::kSticky));
  EXPECT_EQ(suite.scenarios[1].steps.size(), 1U);
  EXPECT_THAT(suite.scenarios[1].sweep->span, ElementsAre(FaultSpan::kOnce));
}

struct Refused {
  const char* name;
  const char* rest;
  const char* where;  // line:column
  const char* rule;
};

class SuiteReaderRefuses : public testing::TestWithParam<Refused> {};

TEST_P(SuiteReaderRefuses, NamingFileLineColumnAndRule) {
  const std::string refusal = Refusal(std::string(kHead) + GetParam().rest);
  EXPECT_THAT(refusal, StartsWith(std::string("folder/close.yaml:") + GetParam().where + ": "));
  EXPECT_THAT(refusal, HasSubstr(GetParam().rule));
}

INSTANTIATE_TEST_SUITE_P(
    Malformed, SuiteReaderRefuses,
    testing::Values(
        Refused{"UnknownKey", "steps: [open]\nstep: [open]\n", "6:1", "unknown key 'step'"},
        Refused{"RepeatedKey", "steps: [open]\nsteps: [close]\n", "6:1", "occurs twice"},
        Refused{"UnknownStep", "steps: [open, shut]\n", "5:15", "'shut' is no step"},
        Refused{"TwoThingsInOneStep", "steps: [{open: , close: }]\n", "5:9", "exactly one thing"},
        Refused{"UnknownResult", "steps: [{open: , fails_with: EWHAT}]\n", "5:30",
                "neither a CUresult"},
        Refused{"NoSteps", "sweep: {}\n", "1:1", "needs steps"},
        Refused{"NegativeNumber", "steps: [{submit: {from: -1}}]\n", "5:25", "a number from 0"},
        Refused{"FaultWithoutResult", "steps: [open]\nfaults: [{entry: cuInit}]\n", "6:10",
                "has one result"},
        Refused{"FaultWithTwoResults",
                "steps: [open]\nfaults: [{entry: cuInit, before: CUDA_ERROR_UNKNOWN, after: "
                "CUDA_ERROR_UNKNOWN}]\n",
                "6:10", "has one result"},
        Refused{"UnknownProfile", "steps: [open]\nprofiles: [r999]\n", "6:12", "no profile"},
        Refused{"UnknownLiveObject", "steps: [open]\nexpect: {live: {ponies: 0}}\n", "6:25",
                "no kind of object"},
        Refused{"SweepOfAScenarioWithFaults",
                "steps: [open]\nscenarios:\n  - {name: a, sweep: {}, faults: [{entry: cuInit, "
                "before: 1}]}\n",
                "7:22", "cannot sweep"},
        Refused{"BrokenYaml", "steps: [open\n", "6:1", ""}),
    [](const auto& info) { return info.param.name; });

TEST(SuiteReaderTest, RefusesASuiteThatIsNotNamedAsItsFile) {
  EXPECT_THAT(
      Refusal("suite: open\nversion: 1\ntitle: t\nsubject: {kind: extractor}\nsteps: [open]\n"),
      HasSubstr("must be in a file of its name"));
}

TEST(SuiteReaderTest, RefusesAFileThatCannotBeRead) {
  EXPECT_THROW(ReadSuite("/nowhere/at_all.yaml"), SuiteError);
}

}  // namespace
}  // namespace culprit::suites
