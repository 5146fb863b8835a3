// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tools/culprit/testing/command.h"

namespace culprit::tools {
namespace {

using testing::HasSubstr;

TEST(StandardStreamsTest, WithoutStandardErrorTheExitCodesAreTheSame) {
  const CommandFolder folder;
  for (const std::string where : {"2>&-", "2>/dev/full"}) {
    EXPECT_EQ(folder.Culprit("trace none " + where).code, 2) << where;
    EXPECT_EQ(folder.Culprit("certify none.so " + where).code, 2) << where;
    EXPECT_EQ(folder.Culprit("foo " + where).code, 2) << where;
  }
  EXPECT_EQ(folder.Culprit("run -- $PROGRAM 2>&-").code, 0);
}

TEST(StandardStreamsTest, OutputThatIsLostIsAnError) {
  const CommandFolder folder;
  for (const std::string where : {">&-", ">/dev/full"}) {
    for (const std::string command :
         {"run --json -- $PROGRAM", "where", "--help", "inventory --help"}) {
      const Outcome outcome = folder.Culprit(command + " " + where);
      EXPECT_EQ(outcome.code, 3) << command << where;
      EXPECT_THAT(outcome.error, HasSubstr("culprit: ")) << command << where;
    }
  }
}

TEST(StandardStreamsTest, NoFileIsTakenForOneThatIsClosed) {
  const CommandFolder folder;
  EXPECT_EQ(folder.Culprit("run --trace calls.jsonl -- $PROGRAM <&- >&- 2>&-").code, 0);
  EXPECT_EQ(folder.Read("calls.jsonl").find("{\"culprit_trace\""), 0U);
}

}  // namespace
}  // namespace culprit::tools
