// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/audit/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>

#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver::audit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class FindingTest : public ::testing::Test {
 protected:
  FindingTest() {
    ClearFindings();
    SetCertifying(false);
  }
  ~FindingTest() override { SetCertifying(false); }
};

TEST_F(FindingTest, OutsideOfACallItNamesNone) {
  Raise(Rule::kLeakStream, {.object = "stream #1"});
  ASSERT_THAT(Findings(), SizeIs(1));
  const Finding finding = Findings().front();
  EXPECT_EQ(finding.call, 0u);
  EXPECT_STREQ(finding.entry, "");
  EXPECT_EQ(finding.details.message, "A stream was never destroyed");
}

TEST_F(FindingTest, InsideOfACallItNamesTheEntryAndTheNumber) {
  CallInProgress call{
      .api = ApiId::cuEventRecord, .sequence = 41, .nth = 3, .return_address = this};
  ThisThread().call = &call;
  Raise(Rule::kHandleDestroyed, {.argument = "hEvent", .handle = 0x1000});
  ThisThread().call = nullptr;
  ASSERT_THAT(Findings(), SizeIs(1));
  const Finding finding = Findings().front();
  EXPECT_EQ(finding.call, 41u);
  EXPECT_STREQ(finding.entry, "cuEventRecord");
  EXPECT_EQ(finding.return_address, this);
  EXPECT_EQ(finding.details.argument, "hEvent");
}

TEST_F(FindingTest, TheSameMistakeAgainIsCountedNotRepeated) {
  for (int i = 0; i < 1000; ++i) Raise(Rule::kHandleForeign, {.handle = 1});
  Raise(Rule::kHandleForeign, {.handle = 2});
  ASSERT_THAT(Findings(), SizeIs(2));
  EXPECT_EQ(Findings().front().count, 1000u);
}

TEST_F(FindingTest, CertifyingRaisesTheSeverityOfWhatDriversPermit) {
  Raise(Rule::kContextForeignAtTeardown, {.handle = 1});
  SetCertifying(true);
  Raise(Rule::kContextForeignAtTeardown, {.handle = 2});
  EXPECT_EQ(Findings().at(0).severity, Severity::kNote);
  EXPECT_EQ(Findings().at(1).severity, Severity::kError);
}

TEST_F(FindingTest, FloodsAreKeptWithinBounds) {
  for (uint64_t i = 0; i < 20'000; ++i) {
    Raise(Rule::kMemoryInvalidFree, {.handle = i});
  }
  EXPECT_THAT(Findings(), SizeIs(10'000));
}

TEST_F(FindingTest, AForkedChildCanRaiseWhateverOtherThreadsDid) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) Raise(Rule::kHandleForeign, {.handle = 1});
  });
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      Raise(Rule::kApiForkedChild);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

TEST_F(FindingTest, ClearingForgetsAll) {
  Raise(Rule::kLeakEvent);
  ClearFindings();
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST(RulesTest, IdsAreDottedAndUnique) {
  std::set<std::string> ids;
#define AUDIT_RULE(constant, text, ...)                              \
  EXPECT_TRUE(ids.insert(text).second) << text;                      \
  EXPECT_NE(std::string(text).find('.'), std::string::npos) << text; \
  EXPECT_STREQ(InfoOf(Rule::constant).id, text);
#include "fakedriver/audit/rules.def"
}

std::string Read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr Rule kAllRules[] = {
#define AUDIT_RULE(constant, ...) Rule::constant,
#include "fakedriver/audit/rules.def"
};

TEST(RulesTest, EachHasAPageThatAgreesWithTheTable) {
  const std::string folder = CULPRIT_DOCS "/findings/";
  const std::string index = Read(folder + "README.md");
  for (const Rule id : kAllRules) {
    const RuleInfo& rule = InfoOf(id);
    const std::string page = Read(folder + rule.id + ".md");
    const std::string head = std::string("# ") + rule.id + "\n\n**" + rule.title + "**\n\n" +
                             "Severity: " + SeverityName(rule.certifying) + " when certifying, " +
                             SeverityName(rule.running) + " when running a program.\n";
    EXPECT_THAT(page, StartsWith(head));
    EXPECT_THAT(index, HasSubstr(std::string("| [") + rule.id + "](" + rule.id + ".md) | " +
                                 rule.title + " |"));
  }
}

}  // namespace
}  // namespace culprit::fakedriver::audit
