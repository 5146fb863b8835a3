// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/program_output.h"

#include <gmock/gmock.h>

namespace culprit::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

TEST(ProgramOutputTest, DiffersInALine) {
  const auto wrong = FirstDifference("at 0x10\nsum 12\nend\n", "at 0x20\nsum 0\nend\n");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->undisturbed, "sum 12");
  EXPECT_EQ(wrong->faulted, "sum 0");
}

TEST(ProgramOutputTest, DiffersWhereOneHasMore) {
  const auto more = FirstDifference("sum 12\n", "sum 12\nno memory\n");
  ASSERT_TRUE(more);
  EXPECT_EQ(more->undisturbed, "");
  EXPECT_EQ(more->faulted, "no memory");
  EXPECT_TRUE(FirstDifference("sum 12\n", "sum 12\n\n")) << "an empty line is a line";
  EXPECT_TRUE(FirstDifference("sum 12\n", "sum 12")) << "so is the end of one";
}

TEST(ProgramOutputTest, IsTheSameButForAddresses) {
  EXPECT_FALSE(FirstDifference("", ""));
  EXPECT_FALSE(FirstDifference("at 0x10, 0xff\n", "at 0x7f00, 0xfe\n"));
  EXPECT_TRUE(FirstDifference("at 10\n", "at 20\n"));
}

TEST(ProgramOutputTest, OfALongLineShowsThePlaceThatDiffers) {
  const std::string same(5000, 'a');
  const auto place = FirstDifference(same + "right" + same + "\n", same + "wrong" + same + "\n");
  ASSERT_TRUE(place);
  for (const auto& [line, word] :
       {std::pair{place->undisturbed, "aright"}, std::pair{place->faulted, "awrong"}}) {
    EXPECT_THAT(line, HasSubstr(word));
    EXPECT_THAT(line, StartsWith("...a"));
    EXPECT_THAT(line, EndsWith("a..."));
    EXPECT_THAT(line, SizeIs(testing::Lt(300U)));
  }
}

}  // namespace
}  // namespace culprit::tools
