// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/program_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

nlohmann::json ReportWith(const std::vector<std::string>& rules) {
  nlohmann::json findings = nlohmann::json::array();
  for (const std::string& rule : rules) findings.push_back({{"rule", rule}, {"severity", "error"}});
  return {{"findings", findings}};
}

ProgramOutcome Ended(int code, const std::string& output,
                     const std::vector<std::string>& rules = {}) {
  ProgramOutcome outcome;
  outcome.run.code = code;
  outcome.run.reports.push_back(ReportWith(rules));
  outcome.output = output;
  return outcome;
}

const ProgramOutcome kUndisturbed = Ended(0, "sum 12 at 0x7f00\n", {"leak.module"});

TEST(ProgramSweepTest, TakesTheSubjectsCallsFromATrace) {
  std::istringstream trace(
      "{\"culprit_trace\":1,\"pid\":7}\n"
      "{\"seq\":1,\"thread\":1,\"entry\":\"cuInit\",\"nth\":1}\n"
      "{\"seq\":0,\"thread\":1,\"entry\":\"cuInit\",\"nth\":0,\"harness\":true}\n"
      "{\"seq\":2,\"thread\":2,\"entry\":\"cuCtxGetCurrent\",\"nth\":4}\n");
  const std::vector<TracedSite> sites = SitesOfTrace(trace);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[1].thread, 2U);
  EXPECT_EQ(sites[1].entry, "cuCtxGetCurrent");
  EXPECT_EQ(sites[1].nth, 4U);
}

TEST(ProgramSweepTest, NamesTheLineOfATraceThatCannotBeRead) {
  std::istringstream trace("{\"culprit_trace\":1}\n{\"entry\":\n");
  EXPECT_THAT([&] { SitesOfTrace(trace); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("line 2")));
}

TEST(ProgramSweepTest, PlansOneFaultOfOneThread) {
  const ProgramFault fault{{2, "cuMemAlloc_v2", 3}, "after", "sticky", "CUDA_ERROR_OUT_OF_MEMORY"};
  EXPECT_EQ(
      fault.Plan(),
      nlohmann::json::parse(
          R"({"faults":[{"entry":"cuMemAlloc_v2","thread":2,"nth":3,"after":"CUDA_ERROR_OUT_OF_MEMORY","sticky":true}]})"));
  EXPECT_EQ(fault.Name(), "cuMemAlloc_v2 #3 of thread 2: CUDA_ERROR_OUT_OF_MEMORY after, sticky");
}

TEST(ProgramSweepTest, ComparesWithTheRunWithoutAFault) {
  EXPECT_EQ(Judge(kUndisturbed, Ended(0, "sum 12 at 0x5500\n", {"leak.module"})),
            Consequence::kSwallowed);
  EXPECT_EQ(Judge(kUndisturbed, Ended(0, "out of memory\n", {"leak.module"})),
            Consequence::kOtherOutput);
  EXPECT_EQ(Judge(kUndisturbed, Ended(3, "sum 12 at 0x7f00\n")), Consequence::kReported);
  EXPECT_EQ(Judge(kUndisturbed, Ended(0, "sum 12 at 0x7f00\n", {"fault.not_fired"})),
            Consequence::kNotReached);
}

TEST(ProgramSweepTest, AnExitCodeThatIsTheSameHidesTheError) {
  EXPECT_TRUE(HidesTheError(Consequence::kSwallowed));
  EXPECT_TRUE(HidesTheError(Consequence::kOtherOutput));
  EXPECT_FALSE(HidesTheError(Consequence::kReported));
  EXPECT_FALSE(IsDefect(Consequence::kOtherOutput));
}

TEST(ProgramSweepTest, OutputThatVariesByItselfIsNotCompared) {
  ProgramOutcome varies = Ended(0, "process 7\n");
  varies.output_varies = true;
  EXPECT_EQ(Judge(varies, Ended(0, "process 8\n")), Consequence::kSwallowed);
  EXPECT_EQ(Judge(varies, Ended(1, "process 8\n")), Consequence::kReported);
}

TEST(ProgramSweepTest, CountsNotesThatAreNewAndBlamesNobody) {
  ProgramOutcome noted = Ended(1, "", {"leak.module"});
  noted.run.reports[0]["findings"].push_back({{"rule", "leak.reclaimed"}, {"severity", "note"}});
  EXPECT_THAT(NewNotes(kUndisturbed.run, noted.run), ElementsAre("leak.reclaimed"));
  EXPECT_THAT(NewNotes(noted.run, noted.run), testing::IsEmpty());
  EXPECT_EQ(Judge(kUndisturbed, noted), Consequence::kReported);
}

TEST(ProgramSweepTest, BlamesOnlyWhatIsNewUnderTheFault) {
  const ProgramOutcome twice = Ended(1, "", {"leak.module", "leak.module", "leak.stream"});
  EXPECT_EQ(Judge(kUndisturbed, twice), Consequence::kMisused);
  EXPECT_THAT(NewErrors(kUndisturbed.run, twice.run), ElementsAre("leak.module", "leak.stream"));
}

TEST(ProgramSweepTest, SaysWhatTheRunWithoutAFaultLeavesOpen) {
  EXPECT_EQ(RemarksOn(Ended(0, "").run), "");
  EXPECT_THAT(RemarksOn(kUndisturbed.run),
              AllOf(HasSubstr("already finds 1 error (see"), Not(HasSubstr("NOT JUDGED"))));
  EXPECT_THAT(RemarksOn(Ended(0, "", {"leak.module", "leak.stream"}).run), HasSubstr("2 errors"));
  ProgramRun lost;
  lost.unfinished = 1;
  EXPECT_THAT(RemarksOn(lost), AllOf(HasSubstr("NOT JUDGED in the run without a fault: 1 of its"),
                                     Not(HasSubstr("already finds"))));
}

TEST(ProgramSweepTest, ACrashAndAHangWeighMoreThanLeaks) {
  ProgramOutcome crashed = Ended(139, "", {"leak.stream"});
  crashed.run.signal = SIGSEGV;
  EXPECT_EQ(Judge(kUndisturbed, crashed), Consequence::kCrashed);
  crashed.run.hung = true;
  EXPECT_EQ(Judge(kUndisturbed, crashed), Consequence::kHung);
  EXPECT_TRUE(IsDefect(Consequence::kHung));
  EXPECT_FALSE(IsDefect(Consequence::kSwallowed));
}

}  // namespace
}  // namespace culprit::tools
