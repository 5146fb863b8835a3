// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/suite_reader.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "suites/runner/clip_files.h"

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
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.rest; }

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
        Refused{"SecondDocument", "steps: [open]\n---\nsteps: [open, close]\n", "6:1",
                "a file holds one document"},
        Refused{"UnknownStep", "steps: [open, shut]\n", "5:15", "'shut' is no step"},
        Refused{"TwoThingsInOneStep", "steps: [{open: , close: }]\n", "5:9", "exactly one thing"},
        Refused{"UnknownResult", "steps: [{open: , fails_with: EWHAT}]\n", "5:30",
                "neither a CUresult"},
        Refused{"NoSteps", "sweep: {}\n", "1:1", "needs steps"},
        Refused{"EmptyListOfExtractors", "steps: [open]\nmatrix: {extractors: []}\n", "6:22",
                "the list is empty"},
        Refused{"EmptySetOfExtractors", "steps: [open]\nmatrix: {extractors: [[]]}\n", "6:23",
                "the list is empty"},
        Refused{"ExtractorThatIsNoWord", "steps: [open]\nmatrix: {extractors: [psnr]}\n", "6:23",
                "write the list [psnr]"},
        Refused{"ExtractorThatYamlTakesForNothing",
                "steps: [open]\nmatrix: {extractors: [[NULL]]}\n", "6:24", "goes into quotes"},
        Refused{"NoScenario", "steps: [open]\nscenarios: []\n", "6:12", "the list is empty"},
        Refused{"NoFault", "steps: [open]\nfaults: []\n", "6:9", "the list is empty"},
        Refused{"SweepDuringNothing", "steps: [open]\nsweep: {during: []}\n", "6:17",
                "the list is empty"},
        Refused{"SweepDuringAStepThatIsNotThere", "steps: [open]\nsweep: {during: [preallocate]}\n",
                "6:17", "scenario 'life_cycle' has no such step: preallocate"},
        Refused{"SweepOfTheSuiteDuringNoStepOfAScenario",
                "steps: [open, close]\nsweep: {during: [close, state_free]}\n"
                "scenarios: [{name: a}, {name: b, steps: [open]}]\n",
                "6:17", "scenario 'b' has no such step: close, state_free"},
        Refused{"SweepDuringScores", "steps: [open, scores]\nsweep: {during: [scores]}\n", "6:17",
                "makes no call in the only steps of this sweep: scores"},
        Refused{"SweepDuringAPreallocationOfNothing",
                "steps: [open, preallocate]\nsweep: {during: [preallocate]}\n", "6:17",
                "makes no call in the only steps of this sweep: preallocate"},
        Refused{"FaultsBesideScenarios",
                "steps: [open]\nscenarios: [{name: a}]\n"
                "faults: [{entry: cuInit, before: CUDA_ERROR_UNKNOWN}]\n",
                "7:9", "each has its own faults"},
        Refused{"ScenarioWithoutName", "steps: [open]\nscenarios: [{name: ''}]\n", "6:20",
                "must not be empty"},
        Refused{"UnknownEntryOfAFault",
                "steps: [open]\nfaults: [{entry: cuEventCreat, before: CUDA_ERROR_UNKNOWN}]\n",
                "6:18", "no entry 'cuEventCreat'"},
        Refused{"CallBeforeTheFirst",
                "steps: [open]\nfaults: [{entry: cuInit, nth: 0, before: CUDA_ERROR_UNKNOWN}]\n",
                "6:31", "a number from 1"},
        Refused{"UnknownEntryInOrder", "steps: [open]\nexpect: {calls: {in_order: [cuInt]}}\n",
                "6:29", "no entry 'cuInt'"},
        Refused{"UnknownEntryThatIsAbsent", "steps: [open]\nexpect: {calls: {absent: [cuInt]}}\n",
                "6:27", "no entry 'cuInt'"},
        Refused{"UnknownEntryThatIsCounted",
                "steps: [open]\nexpect: {calls: {count: {cuInt: 1}}}\n", "6:33",
                "no entry 'cuInt'"},
        Refused{"UnknownEntryOfAReport",
                "steps: [open]\nexpect: {reported: {result: CUDA_ERROR_UNKNOWN, entry: cuInt}}\n",
                "6:56", "no entry 'cuInt'"},
        Refused{"UnknownFinding", "steps: [open]\nexpect: {findings: [leak.evnt]}\n", "6:21",
                "'leak.evnt' is no finding"},
        Refused{"UnknownPolicyOfOtherSettings",
                "steps: [open]\nexpect: {scores: {same_as: {policy: late}}}\n", "6:37",
                "'late' is no policy"},
        Refused{"UnknownCallerOfOtherSettings",
                "steps: [open]\nexpect: {scores: {same_as: {caller: me}}}\n", "6:37",
                "caller is none, owner or foreign"},
        Refused{"ScoreThatIsNoNumber", "steps: [open]\nexpect: {scores: {constant: .nan}}\n",
                "6:29", "a number"},
        Refused{"ClipOutsideItsFolder", "steps: [open]\nclip: {name: ../../x}\n", "6:14",
                "the name of its files"},
        Refused{"TimeLimitInWords", "steps: [open]\ntimeout_s: soon\n", "6:12",
                "a number from 1 to 3600"},
        Refused{"NoTimeAtAll", "steps: [open]\ntimeout_s: 0\n", "6:12", "a number from 1 to 3600"},
        Refused{"TooLargeANumber", "steps: [open]\ntimeout_s: 1e18\n", "6:12",
                "a number from 1 to 3600"},
        Refused{"AnchorThatHoldsItself", "steps: &all [*all]\n", "5:8", "nested too deeply"},
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

TEST(SuiteReaderTest, TakesASweepOfWhichTheScenarioHasOneStep) {
  const Suite suite = Parse(
      "steps: [open, preallocate]\nmatrix: {preallocate: [0, 4]}\n"
      "sweep: {during: [preallocate, close]}\n"
      "scenarios:\n"
      "  - {name: by_the_matrix}\n"
      "  - {name: by_the_step, matrix: {}, steps: [open, {preallocate: {pictures: 2}}]}\n");
  EXPECT_THAT(suite.scenarios[0].sweep->during,
              ElementsAre(StepKind::kPreallocate, StepKind::kClose));
  EXPECT_EQ(suite.scenarios[1].steps[1].pictures, 2U);
}

TEST(SuiteReaderTest, RefusesASuiteThatIsNotNamedAsItsFile) {
  EXPECT_THAT(
      Refusal("suite: open\nversion: 1\ntitle: t\nsubject: {kind: extractor}\nsteps: [open]\n"),
      HasSubstr("must be in a file of its name"));
}

std::string RefusalOfFile(const std::string& path) {
  try {
    ReadSuite(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SuiteReaderTest, RefusesAFileThatCannotBeRead) {
  EXPECT_THAT(RefusalOfFile("/nowhere/at_all.yaml"),
              HasSubstr("/nowhere/at_all.yaml: cannot be read"));
  EXPECT_THAT(RefusalOfFile(testing::TempDir()), HasSubstr("cannot be read"));
}

TEST(SuiteReaderTest, SaysThatAFileIsEmpty) {
  EXPECT_EQ(Refusal(""), "folder/close.yaml: there is nothing in the file");
  EXPECT_EQ(Refusal("# a comment\n"), "folder/close.yaml: there is nothing in the file");
}

TEST(SuiteReaderTest, RefusesNestingAndAnchorsWithoutEnd) {
  EXPECT_THAT(Refusal(std::string(kHead) + "steps: " + std::string(100000, '[')),
              HasSubstr("nested too deeply"));
  std::string bomb = std::string(kHead) + "a0: [open, open]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
            (i == 1 ? "1, 1" : before + ", " + before) + "]\n";
  }
  EXPECT_THAT(Refusal(bomb), HasSubstr("the file holds too much"));
}

TEST(SuiteReaderTest, TakesAnExtractorThatIsCalledNull) {
  const Suite suite = Parse("steps: [open]\nmatrix: {extractors: [['NULL']]}\n");
  EXPECT_THAT(suite.matrix.extractors, ElementsAre(ElementsAre("NULL")));
}

TEST(SuiteReaderTest, RefusesAClipThatIsNotThere) {
  const Suite suite = Parse("steps: [open]\nclip: {name: nope}\n");
  try {
    DemandClips(suite, testing::TempDir());
    ADD_FAILURE() << "accepted";
  } catch (const SuiteError& error) {
    EXPECT_THAT(error.what(), StartsWith("folder/close.yaml:6:14: there is no clip 'nope'"));
  }
}

}  // namespace
}  // namespace culprit::suites
