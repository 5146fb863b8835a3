// SPDX-License-Identifier: Apache-2.0
//
// Races in global memory between the blocks of a launch: found where nothing orders the blocks, and
// not where the kernel may order them, or where the bytes do not depend on the order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::IsEmpty;
using testing::Pack;

class BlockRacesTest : public ::testing::Test {
 protected:
  BlockRacesTest() { device_.environment.checks.block_races = true; }

  // Parameter %d0; %r0 the block, %r1 the thread; %d2 the word of the thread, %d3 that of the
  // block, %d4 that of the thread in the grid.
  LaunchResult Run(const std::string& body, const std::string& module = "") {
    const std::string text =
        ".version 8.0\n.target sm_80\n.address_size 64\n" + module +
        ".visible .entry k(.param .u64 p) {\n"
        ".reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %p<4>;\n"
        "ld.param.u64 %d0, [p]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;\n"
        "mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d0, %d2; mul.wide.u32 %d3, %r0, 4;\n"
        "add.s64 %d3, %d0, %d3; mad.lo.u32 %r3, %r0, %r2, %r1; mul.wide.u32 %d4, %r3, 4;\n"
        "add.s64 %d4, %d0, %d4; setp.eq.u32 %p0, %r1, 0;\n" +
        body + "\nret;\n}\n";
    EXPECT_TRUE(device_.Load(text)) << device_.error.ToLogLine();
    if (memory_ == 0) memory_ = device_.memory.Upload(std::vector<uint32_t>(256, 7));
    LaunchResult result = device_.Run("k", {4, 1, 1}, {32, 1, 1}, Pack(memory_));
    EXPECT_TRUE(result.ok());
    return result;
  }

  testing::TestDevice device_;
  uint64_t memory_ = 0;
};

// ---- Found ----

TEST_F(BlockRacesTest, DifferentValuesInOneWordAreFound) {
  const LaunchResult result = Run("st.global.u32 [%d2], %r0;");
  ASSERT_EQ(result.findings.size(), 1u);
  const MemoryFinding& finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::kBlockRace);
  EXPECT_TRUE(finding.is_store);
  EXPECT_EQ(finding.address, memory_);
  ASSERT_TRUE(finding.other_where && finding.other_who);
  EXPECT_EQ(finding.where.instruction, "st.global.u32");
  EXPECT_EQ(finding.other_where->instruction, "st.global.u32");
  EXPECT_EQ(finding.who.block[0], 1u);
  EXPECT_EQ(finding.other_who->block[0], 0u);
  EXPECT_EQ(finding.count, 96u);  // each thread of the three later blocks
}

TEST_F(BlockRacesTest, ReadOfWhatAnEarlierBlockWroteIsFound) {
  const LaunchResult result =
      Run("st.global.u32 [%d4], %r3;\nld.global.u32 %r4, [%d2];\nst.global.u32 [%d4+512], %r4;");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_FALSE(result.findings[0].is_store);
  EXPECT_EQ(result.findings[0].other_where->instruction, "st.global.u32");
}

TEST_F(BlockRacesTest, WriteOfWhatAnEarlierBlockReadIsFound) {
  // Each block reads the words of the next one.
  const LaunchResult result = Run("ld.global.u32 %r4, [%d4+128];\nst.global.u32 [%d4], %r3;");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_TRUE(result.findings[0].is_store);
  EXPECT_EQ(result.findings[0].other_where->instruction, "ld.global.u32");
}

TEST_F(BlockRacesTest, PlainWriteBesideAtomicsIsFound) {
  const LaunchResult result = Run("@%p0 st.global.u32 [%d0], %r0;\nred.global.add.u32 [%d0], 1;");
  EXPECT_FALSE(result.findings.empty());
}

TEST_F(BlockRacesTest, PlainReadBesideAtomicsIsFound) {
  const LaunchResult result = Run("red.global.add.u32 [%d0], 1;\nld.global.u32 %r4, [%d0];");
  EXPECT_FALSE(result.findings.empty());
}

TEST_F(BlockRacesTest, HalvesOfAWordAreToldApart) {
  const std::string write = "setp.eq.u32 %p1, %r3, 0;\n@%p1 st.global.u16 [%d0+2], 3;\n";
  EXPECT_FALSE(Run(write + "ld.global.u32 %r4, [%d0];").findings.empty());
  memory_ = 0;
  EXPECT_THAT(Run(write + "ld.global.u16 %r4, [%d0];").findings, IsEmpty());
}

// ---- Quiet ----

TEST_F(BlockRacesTest, OwnWordsAreQuiet) {
  EXPECT_THAT(Run("st.global.u32 [%d4], %r3;\nld.global.u32 %r4, [%d4];\nst.global.u32 [%d4], %r4;")
                  .findings,
              IsEmpty());
}

TEST_F(BlockRacesTest, TheSameValueFromAllBlocksIsQuiet) {
  EXPECT_THAT(Run("st.global.u32 [%d2], 5;").findings, IsEmpty());
}

TEST_F(BlockRacesTest, AWriteThatChangesNothingIsQuietForReaders) {
  EXPECT_THAT(Run("st.global.u32 [%d4], 7;\nld.global.u32 %r4, [%d2];").findings, IsEmpty());
}

TEST_F(BlockRacesTest, AtomicsAndReadsOfInputsAreQuiet) {
  EXPECT_THAT(Run("ld.global.u32 %r4, [%d2+256];\nred.global.add.u32 [%d0], %r4;").findings,
              IsEmpty());
}

TEST_F(BlockRacesTest, KernelsThatMayOrderTheirBlocksAreNotJudged) {
  const std::string race = "st.global.u32 [%d2], %r0;\n";
  EXPECT_THAT(Run(race + "membar.gl;").findings, IsEmpty());
  EXPECT_THAT(Run(race + "fence.acq_rel.gpu;").findings, IsEmpty());
  EXPECT_THAT(Run(race + "st.volatile.global.u32 [%d0+512], 1;").findings, IsEmpty());
  EXPECT_THAT(Run(race + "ld.acquire.gpu.global.u32 %r4, [%d0+512];").findings, IsEmpty());
  EXPECT_THAT(Run(race + "red.release.gpu.global.add.u32 [%d0+512], 1;").findings, IsEmpty());
  // The block that sees the last ticket goes on alone.
  EXPECT_THAT(Run(race + "atom.global.add.u32 %r4, [%d0+512], 1;\nsetp.ne.u32 %p1, %r4, "
                         "127;\n@%p1 bra END;\nst.global.u32 [%d0+516], %r4;\nEND:")
                  .findings,
              IsEmpty());
  device_.cooperative = true;
  EXPECT_THAT(Run(race).findings, IsEmpty());
}

TEST_F(BlockRacesTest, OrderWithinTheBlockOrdersNoBlocks) {
  const std::string race = "st.global.u32 [%d2], %r0;\n";
  EXPECT_FALSE(Run(race + "membar.cta;").findings.empty());
  EXPECT_FALSE(Run(race + "fence.acq_rel.cta;").findings.empty());
  EXPECT_FALSE(Run(race + "st.volatile.shared.u32 [s], 1;", ".shared .align 4 .b8 s[4];\n")
                   .findings.empty());
  EXPECT_FALSE(Run(race + "bar.sync 0;").findings.empty());
}

TEST_F(BlockRacesTest, NothingIsFoundUnlessAskedFor) {
  device_.environment.checks.block_races = false;
  EXPECT_THAT(Run("st.global.u32 [%d2], %r0;").findings, IsEmpty());
}

}  // namespace
}  // namespace culprit::exec
