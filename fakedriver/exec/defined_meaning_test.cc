// SPDX-License-Identifier: Apache-2.0
//
// PTX that the compiler of an H200's driver gives another meaning
// (vectors/data/open_differences.txt). The machine keeps to what the PTX ISA says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::ElementsAre;
using testing::Pack;

// The words that one thread leaves, of the four that it finds in %r1 to %r4.
std::vector<uint32_t> WordsAfter(const std::vector<uint32_t>& words, const std::string& body) {
  testing::TestDevice device;
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<8>; .reg .b64 %l<4>, %o; .reg .pred %p<4>;\nld.param.u64 %o, [p];\n"
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%o];\n" +
      body + "\nret;\n}\n";
  EXPECT_TRUE(device.Load(text)) << device.error.ToLogLine();
  const uint64_t address = device.memory.Upload(words);
  EXPECT_TRUE(device.Run("k", {1, 1, 1}, {1, 1, 1}, Pack(address)).ok());
  return device.memory.Download<uint32_t>(address, words.size());
}

TEST(DefinedMeaningTest, APredicateKnownInFrontOfALoopIsTestedInEachRound) {
  EXPECT_THAT(
      WordsAfter(
          {1, 2, 7, 3},
          "mov.u32 %r5, 0; setp.lt.u32 %p0, %r1, %r2; @%p0 bra A; st.global.u32 [%o+4], %r4;\n"
          "A: @!%p0 bra E;\n"
          "L: @!%p0 add.u32 %r5, %r5, 1; setp.eq.u32 %p0, %r1, %r3;\n"
          "sub.s32 %r4, %r4, 1; setp.ge.s32 %p2, %r4, 0; @%p2 bra L;\n"
          "E: st.global.u32 [%o], %r5;"),
      ElementsAre(3, 2, 7, 3));
}

TEST(DefinedMeaningTest, AProductShiftedByItsWidthIsZero) {
  EXPECT_THAT(
      WordsAfter(
          {5, 6, 7, 8},
          "mul.wide.u32 %l0, %r1, 836; shl.b64 %l1, %l0, 65; st.global.v2.u64 [%o], {%l0, %l1};"),
      ElementsAre(5 * 836, 0, 0, 0));
}

TEST(DefinedMeaningTest, ATableOfARepeatedOperandIsThatOfBoth) {
  EXPECT_THAT(
      WordsAfter(
          {0xff00ff00, 0xffff0000, 7, 8},
          "lop3.b32 %r3, %r1, %r2, %r2, 173; xor.b32 %r3, %r3, %r1; st.global.u32 [%o], %r3;"),
      ElementsAre(0x00ffffff, 0xffff0000, 7, 8));
}

TEST(DefinedMeaningTest, AnOperationTakesItsOperandBeforeTheChange) {
  EXPECT_THAT(WordsAfter({3, 2, 5, 8},
                         "mul.wide.u32 %l2, %r3, %r3; cvt.u64.u32 %l0, %r4; mov.u64 %l1, 0;\n"
                         "setp.lt.u32 %p3, %r1, %r2; @%p3 bra A; st.global.u32 [%o], %r1;\n"
                         "A: add.u64 %l0, %l2, %l0; @%p3 bra B; sub.s64 %l2, 100, %l2;\n"
                         "B: cvt.u32.u64 %r1, %l2; setp.eq.u32 %p2, %r1, 3818417; @%p2 bra C;\n"
                         "shr.s64 %l2, %l1, 43;\n"
                         "C: vote.sync.ballot.b32 %r3, %p2, 1; st.global.v2.u64 [%o], {%l0, %l2};"),
              ElementsAre(33, 0, 0, 0));
}

}  // namespace
}  // namespace culprit::exec
