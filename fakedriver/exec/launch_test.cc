// SPDX-License-Identifier: Apache-2.0
//
// Faults, findings, limits and time: what a launch reports besides its results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Pack;
using ::testing::SizeIs;

class LaunchTest : public ::testing::Test {
 protected:
  // One kernel `k` with the parameters p (64 bits) and n (32 bits), registers %r, %d, %f, %p.
  void Load(const std::string& body, const std::string& module = "") {
    std::string text =
        ".version 8.0\n.target sm_80\n.address_size 64\n" + module +
        ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
        ".reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .f32 %f<8>; .reg .pred %p<8>;\n"
        "ld.param.u64 %d0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, "
        "4;\n"
        "add.s64 %d2, %d0, %d1;\n" +
        body + "\nret;\n}\n";
    ASSERT_TRUE(device_.Load(text)) << device_.error.ToLogLine();
  }

  LaunchResult Run(uint64_t p = 0, uint32_t n = 0, Dim3 block = {1, 1, 1}, Dim3 grid = {1, 1, 1}) {
    return device_.Run("k", grid, block, Pack(p, n));
  }

  testing::TestDevice device_;
};

constexpr uint32_t kBodyLine = 8;  // of the first line of a body, without module scope

TEST_F(LaunchTest, SpinningOnTheClockEnds) {
  Load(
      "mov.u64 %d3, %clock64;\nLOOP: mov.u64 %d4, %clock64; sub.s64 %d5, %d4, %d3; setp.lt.u64 "
      "%p0, %d5, 100000;\n@%p0 bra LOOP;");
  EXPECT_TRUE(Run().ok());
  EXPECT_GE(device_.clock.Cycles(), 100000u);
}

TEST_F(LaunchTest, TrapIsAFaultThatNamesTheThread) {
  Load("setp.eq.u32 %p0, %r1, 37;\n@%p0 trap;");
  LaunchResult result = Run(0, 0, {64, 1, 1}, {3, 1, 1});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kTrap);
  EXPECT_THAT(result.fault->who.thread, ElementsAre(37, 0, 0));
  EXPECT_THAT(result.fault->who.block, ElementsAre(0, 0, 0));
  EXPECT_EQ(result.fault->where.kernel, "k");
  EXPECT_EQ(result.fault->where.ptx_line, kBodyLine + 1);
}

TEST_F(LaunchTest, UnmappedAddressIsAFault) {
  Load("st.global.u32 [%d2], %r1;");
  LaunchResult result = Run(0x1234560, 0, {32, 1, 1});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kIllegalAddress);
  EXPECT_EQ(result.fault->address, 0x1234560u);
  EXPECT_EQ(result.fault->access_bytes, 4u);
  EXPECT_TRUE(result.fault->is_store);
  EXPECT_EQ(result.fault->where.instruction, "st.global.u32");
}

TEST_F(LaunchTest, MisalignedAddressIsAFault) {
  Load("ld.u32 %r2, [%d0];");
  LaunchResult result = Run(device_.memory.Allocate(64) + 2);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kMisalignedAddress);
}

TEST_F(LaunchTest, VectorsAreAlignedAsAWhole) {
  Load("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d0];");
  uint64_t p = device_.memory.Allocate(64);
  EXPECT_TRUE(Run(p + 16).ok());
  ASSERT_TRUE(Run(p + 8).fault);
}

TEST_F(LaunchTest, OutOfBoundsInsideAMappedGranuleIsAFindingAndGoesOn) {
  Load("ld.global.u32 %r2, [%d2];\nst.global.u32 [%d0], %r0;");
  uint64_t p = device_.memory.Allocate(100);
  LaunchResult result = Run(p, 5, {32, 1, 1});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(device_.memory.Download<uint32_t>(p, 1)[0], 5u);
  ASSERT_THAT(result.findings, SizeIs(1));
  const MemoryFinding& finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::kOutOfBounds);
  EXPECT_THAT(finding.who.thread, ElementsAre(25, 0, 0));
  EXPECT_EQ(finding.address, p + 100);
  EXPECT_EQ(finding.distance, 4);
  EXPECT_EQ(finding.allocation_base, p);
  EXPECT_EQ(finding.allocation_size, 100u);
  EXPECT_EQ(finding.count, 7u);
  EXPECT_FALSE(finding.is_store);
}

TEST_F(LaunchTest, AnAccessThatHalfLeavesAnAllocationIsOutOfBoundsByItsBytes) {
  Load("ld.global.u32 %r2, [%d0+4];");
  uint64_t p = device_.memory.Allocate(6);
  LaunchResult result = Run(p);
  EXPECT_TRUE(result.ok());
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].distance, 2);
}

TEST_F(LaunchTest, UseAfterFreeIsAFinding) {
  Load("ld.global.u32 %r2, [%d0];");
  uint64_t p = device_.memory.Allocate(16);
  device_.memory.Free(p);
  LaunchResult result = Run(p);
  EXPECT_TRUE(result.ok());
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, FindingKind::kUseAfterFree);
}

TEST_F(LaunchTest, UninitialisedGlobalReadsAreFoundWhenAskedFor) {
  Load("setp.lt.u32 %p0, %r1, 8;\n@%p0 st.global.u32 [%d2], %r1;\nld.global.u32 %r2, [%d2];");
  uint64_t p = device_.memory.Allocate(128, true);
  EXPECT_THAT(Run(p, 0, {32, 1, 1}).findings, IsEmpty());
  p = device_.memory.Allocate(128, true);
  device_.environment.checks.uninitialised = true;
  LaunchResult result = Run(p, 0, {32, 1, 1});
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, FindingKind::kUninitialisedRead);
  EXPECT_THAT(result.findings[0].who.thread, ElementsAre(8, 0, 0));
  EXPECT_EQ(result.findings[0].count, 24u);
}

TEST_F(LaunchTest, UninitialisedSharedReadsAreFoundWhenAskedFor) {
  Load(
      "mov.u32 %r2, s;\nmad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r1;\nld.shared.u32 "
      "%r4, [%r3+4];",
      ".shared .align 4 .b8 s[132];\n");
  EXPECT_THAT(Run(0, 0, {32, 1, 1}).findings, IsEmpty());
  device_.environment.checks.uninitialised = true;
  LaunchResult result = Run(0, 0, {32, 1, 1});
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].space, StateSpace::kShared);
  EXPECT_THAT(result.findings[0].who.thread, ElementsAre(31, 0, 0));
}

TEST_F(LaunchTest, SharedRacesBetweenWarpsAreFoundWhenAskedFor) {
  const std::string body =
      "mov.u32 %r2, s;\nmad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r1;\n@%p1 bar.sync "
      "0;\nxor.b32 %r4, %r3, 128;\n"
      "ld.shared.u32 %r5, [%r4];";
  device_.environment.checks.shared_races = true;
  Load("setp.ne.u32 %p1, %r0, 0;\n" + body, ".shared .align 256 .b8 s[256];\n");
  EXPECT_THAT(Run(0, 1, {64, 1, 1}).findings, IsEmpty());
  LaunchResult result = Run(0, 0, {64, 1, 1});
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].kind, FindingKind::kSharedRace);
  ASSERT_TRUE(result.findings[0].other_who);
  EXPECT_NE(result.findings[0].other_who->thread[0] / 32, result.findings[0].who.thread[0] / 32);
}

TEST_F(LaunchTest, SharedMemoryOutOfRangeIsFoundAndFarOutFaults) {
  Load("mov.u32 %r2, s;\nadd.u32 %r2, %r2, %r0;\nst.shared.u32 [%r2], %r1;",
       ".shared .align 4 .b8 s[100];\n");
  LaunchResult near = Run(0, 100);
  EXPECT_TRUE(near.ok());
  EXPECT_THAT(near.findings, SizeIs(1));
  LaunchResult far = Run(0, 4096);
  ASSERT_TRUE(far.fault);
  EXPECT_EQ(far.fault->kind, FaultKind::kIllegalAddress);
}

TEST_F(LaunchTest, BarrierThatOnlyPartOfAWarpReachesIsAFinding) {
  Load("setp.lt.u32 %p0, %r1, 16;\n@%p0 bar.sync 0;\n@!%p0 bar.sync 0;");
  LaunchResult result = Run(0, 0, {32, 1, 1});
  EXPECT_TRUE(result.ok());
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].kind, FindingKind::kBarrierDivergence);
}

TEST_F(LaunchTest, ABarrierThatCannotCompleteIsADeadlock) {
  Load("bar.sync 1, 96;");
  LaunchResult result = Run(0, 0, {64, 1, 1});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kDeadlock);
  EXPECT_EQ(result.fault->where.ptx_line, kBodyLine);
}

TEST_F(LaunchTest, EndlessLoopsEndAtTheLimits) {
  Load("LOOP: add.s32 %r2, %r2, 1;\nbra LOOP;");
  device_.environment.limits.instructions = 1'000'000;
  LaunchResult result = Run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kInstructionLimit);
  device_.environment.limits = {};
  device_.environment.limits.nanoseconds = 20'000'000;
  result = Run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kTimeLimit);
  std::atomic<bool> cancelled{true};
  device_.environment.limits = {};
  device_.environment.limits.cancelled = &cancelled;
  result = Run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kCancelled);
}

TEST_F(LaunchTest, EndlessRecursionOverflowsTheStack) {
  Load("call f;",
       ".func f() { .local .b8 buffer[64]; .reg .b64 %d<2>; mov.u64 %d1, buffer; call f; ret; }\n");
  LaunchResult result = Run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kStackOverflow);
  EXPECT_EQ(result.fault->where.function, "f");
}

TEST_F(LaunchTest, UnsupportedInstructionsAreNamedWhenTheyRun) {
  Load("setp.ne.u32 %p0, %r0, 0;\n@!%p0 bra END;\nwgmma.fence.sync.aligned;\nEND:");
  EXPECT_TRUE(Run(0, 0).ok());
  LaunchResult result = Run(0, 1);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kUnsupportedInstruction);
  EXPECT_THAT(result.fault->message, HasSubstr("wgmma"));
  EXPECT_EQ(result.fault->where.ptx_line, kBodyLine + 2);
}

TEST_F(LaunchTest, TheFaultOfTheLowestBlockIsReportedWhateverTheWorkers) {
  Load(
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r4, 0;\nLOOP: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, "
      "20000;\n@%p1 bra LOOP;\n"
      "setp.ge.u32 %p0, %r2, 13;\n@%p0 trap;");
  for (unsigned workers : {1u, 4u}) {
    device_.environment.workers = workers;
    LaunchResult result = Run(0, 0, {32, 1, 1}, {40, 1, 1});
    ASSERT_TRUE(result.fault);
    EXPECT_THAT(result.fault->who.block, ElementsAre(13, 0, 0));
  }
}

TEST_F(LaunchTest, ManyWorkersGiveTheSameAsOne) {
  Load(
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nmov.u32 %r5, "
      "0;\nmov.u32 %r6, %r4;\n"
      "LOOP: mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p0, "
      "%r5, 3000;\n@%p0 bra LOOP;\n"
      "mul.wide.u32 %d3, %r4, 4;\nadd.s64 %d4, %d0, %d3;\nst.global.u32 [%d4], %r6;\n"
      "red.global.add.u64 [%d0+32768], 1;");
  std::vector<std::vector<uint32_t>> results;
  for (unsigned workers : {1u, 4u}) {
    device_.environment.workers = workers;
    uint64_t p = device_.memory.Allocate(32776);
    EXPECT_TRUE(Run(p, 0, {128, 1, 1}, {64, 1, 1}).ok());
    results.push_back(device_.memory.Download<uint32_t>(p, 8194));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0][8192], 64u * 128u);
}

TEST_F(LaunchTest, SourceLinesReachFaults) {
  Load(".loc 1 42 7\ntrap;", ".file 1 \"kernel.cu\"\n");
  LaunchResult result = Run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->where.source_file, "kernel.cu");
  EXPECT_EQ(result.fault->where.source_line, 42u);
}

TEST_F(LaunchTest, LanesThatEndEarlyDoNotHoldUpTheOthers) {
  Load("setp.ge.u32 %p0, %r1, 20;\n@%p0 exit;\nbar.sync 0;\nst.global.u32 [%d2], %r1;");
  uint64_t p = device_.memory.Upload(std::vector<uint32_t>(64, 99));
  EXPECT_TRUE(Run(p, 0, {64, 1, 1}).ok());
  std::vector<uint32_t> out = device_.memory.Download<uint32_t>(p, 64);
  EXPECT_EQ(out[19], 19u);
  EXPECT_EQ(out[20], 99u);
  EXPECT_EQ(out[40], 99u);
}

// The warp's other lanes are all that is left, and the words lie side by side.
TEST_F(LaunchTest, LanesThatHaveEndedWriteNothingWhereTheOthersDo) {
  Load("setp.ge.u32 %p0, %r1, 20;\n@%p0 exit;\nst.global.u32 [%d2], %r1;");
  uint64_t p = device_.memory.Upload(std::vector<uint32_t>(32, 99));
  EXPECT_TRUE(Run(p, 0, {32, 1, 1}, {8, 1, 1}).ok());
  std::vector<uint32_t> out = device_.memory.Download<uint32_t>(p, 32);
  EXPECT_EQ(out[19], 19u);
  for (uint32_t lane = 20; lane < 32; ++lane) EXPECT_EQ(out[lane], 99u) << lane;
}

TEST_F(LaunchTest, WhatIsTouchedIsNotedToTheByte) {
  Load(
      "st.global.u16 [%d2], %h0;\nld.global.v2.u32 {%r2, %r3}, [%d0+1024];\n"
      "setp.ge.u32 %p0, %r1, 4;\n@%p0 exit;\nred.global.add.u32 [%d2+2048], 1;");
  std::vector<uint64_t> read(64), written(64), atomic(64);
  uint64_t p = device_.memory.Allocate(4096);
  device_.memory.NoteTouched({read.data(), written.data(), atomic.data()});
  EXPECT_TRUE(Run(p, 0, {40, 1, 1}, {3, 1, 1}).ok());
  std::vector<uint64_t> none(64);
  std::vector<uint64_t> expected = none;
  expected[1024 / 64] = 0xff;
  EXPECT_EQ(read, expected);
  expected = none;
  expected[0] = expected[1] = 0x3333333333333333;
  expected[2] = 0x33333333;
  EXPECT_EQ(written, expected);
  expected = none;
  expected[2048 / 64] = 0xffff;
  EXPECT_EQ(atomic, expected);
}

TEST_F(LaunchTest, ParametersMayBeReadThroughTheirAddress) {
  Load(
      "mov.b64 %d3, n;\nld.param.u32 %r2, [%d3];\ncvta.param.u64 %d4, %d3;\nld.u32 %r3, "
      "[%d4];\nadd.u32 %r4, %r2, %r3;\nst.global.u32 [%d0], %r4;");
  uint64_t p = device_.memory.Allocate(4);
  EXPECT_TRUE(Run(p, 21).ok());
  EXPECT_EQ(device_.memory.Download<uint32_t>(p, 1)[0], 42u);
}

}  // namespace
}  // namespace culprit::exec
