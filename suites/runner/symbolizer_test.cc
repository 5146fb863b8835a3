// SPDX-License-Identifier: Apache-2.0
//
// The program looks itself up: functions that the compiler is made to merge must come back as the
// source has them.
#include "suites/runner/symbolizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace culprit::suites {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

// What follows a call keeps it from becoming a jump, in which the caller would be lost.
[[gnu::noinline]] uintptr_t CallerOfThis() {
  return reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1;
}

// clang-format off
#line 101 "wrapper.h"
[[gnu::always_inline]] inline uintptr_t Wrapper() { const uintptr_t at = CallerOfThis(); asm volatile("" : : : "memory"); return at; }
#line 201 "close.cc"
[[gnu::always_inline]] inline uintptr_t Close() { return Wrapper(); }
#line 301 "library.cc"
[[gnu::noinline]] uintptr_t Library() { return Close(); }
[[gnu::noinline, gnu::no_icf]] uintptr_t WrapperAlone() { return Wrapper(); }
#line 36 "suites/runner/symbolizer_test.cc"
// clang-format on

InlineChain Find(uintptr_t address) {
  std::ifstream file("/proc/self/maps");
  const std::string maps(std::istreambuf_iterator<char>(file), {});
  return Symbolizer(maps).Find(address);
}

TEST(SymbolizerTest, GivesMergedFunctionsInnermostFirstEachWithItsOwnLine) {
  const InlineChain chain = Find(Library());
  ASSERT_EQ(chain.size(), 3u);
  const struct {
    const char* function;
    const char* file;
    int line;
  } expected[] = {{"Wrapper", "wrapper.h", 101}, {"Close", "close.cc", 201},
                  {"Library", "library.cc", 301}};
  for (size_t i = 0; i < chain.size(); ++i) {
    EXPECT_THAT(chain[i].function, HasSubstr(expected[i].function));
    EXPECT_THAT(chain[i].file, EndsWith(expected[i].file));
    EXPECT_EQ(chain[i].line, expected[i].line);
    EXPECT_THAT(chain[i].module, EndsWith("symbolizer_test"));
  }
}

TEST(SymbolizerTest, NamesTheInnermostFrameThatIsNotInAHeader) {
  EXPECT_THAT(FrameToName(Find(Library())).Text(), HasSubstr("close.cc:201"));
  EXPECT_THAT(FrameToName(Find(WrapperAlone())).Text(), HasSubstr("library.cc:302"));
}

TEST(SymbolizerTest, NamesTheOutermostFrameWhereAllAreInHeaders) {
  InlineChain chain(2);
  chain[0].file = "a.hpp";
  chain[1].file = "b.cuh";
  EXPECT_EQ(FrameToName(chain).file, "b.cuh");
}

TEST(SymbolizerTest, GivesAnAddressOfNoModuleAsANumber) {
  const InlineChain chain = Symbolizer("").Find(0x1234);
  ASSERT_EQ(chain.size(), 1u);
  EXPECT_THAT(chain[0].function, IsEmpty());
  EXPECT_EQ(chain[0].Text(), "0x1234");
}

}  // namespace
}  // namespace culprit::suites
