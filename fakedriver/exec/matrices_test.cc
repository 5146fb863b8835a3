// SPDX-License-Identifier: Apache-2.0
//
// ldmatrix, stmatrix and movmatrix. Shared memory holds 32 rows of eight numbers, the number in row
// r and column c being 8 * r + c: matrix m is rows 8 * m to 8 * m + 7.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::HasSubstr;
using testing::Pack;

constexpr uint32_t kWarp = 32;

uint32_t Number(uint32_t matrix, uint32_t row, uint32_t column) {
  return matrix * 64 + row * 8 + column;
}

// What a lane holds of a matrix as it lies there, and of its transpose.
uint32_t Held(uint32_t matrix, uint32_t lane) {
  return Number(matrix, lane / 4, lane % 4 * 2) | Number(matrix, lane / 4, lane % 4 * 2 + 1) << 16;
}
uint32_t HeldTransposed(uint32_t matrix, uint32_t lane) {
  return Number(matrix, lane % 4 * 2, lane / 4) | Number(matrix, lane % 4 * 2 + 1, lane / 4) << 16;
}

class MatricesTest : public ::testing::Test {
 protected:
  // Each lane starts with four of the numbers in %r4 to %r7 and in memory, the address of row %tid
  // in %d2 and its generic address in %d3. %r0 to %r3 are stored at out[4 * tid].
  static std::string Kernel(const std::string& body) {
    return ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 rows[512];\n"
           ".visible .entry k(.param .u64 out) {\n"
           ".reg .b16 %h<4>; .reg .b32 %r<24>; .reg .b64 %d<8>; .reg .pred %p<4>;\n"
           "mov.u32 %r10, %tid.x; mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
           "shl.b32 %r11, %r10, 3; shl.b32 %r12, %r11, 16; or.b32 %r4, %r11, %r12;\n"
           "add.u32 %r4, %r4, 0x10000; add.u32 %r5, %r4, 0x20002; add.u32 %r6, %r5, 0x20002;\n"
           "add.u32 %r7, %r6, 0x20002;\n"
           "mov.u64 %d1, rows; mad.wide.u32 %d2, %r10, 16, %d1; cvta.shared.u64 %d3, %d2;\n"
           "st.shared.v4.b32 [%d2], {%r4, %r5, %r6, %r7}; bar.sync 0;\n" +
           body +
           "\nld.param.u64 %d0, [out]; mad.wide.u32 %d0, %r10, 16, %d0;\n"
           "st.global.v4.b32 [%d0], {%r0, %r1, %r2, %r3}; ret;\n}\n";
  }

  LaunchResult Launch(const std::string& body) {
    EXPECT_TRUE(device_.Load(Kernel(body))) << device_.error.ToLogLine();
    out_ = device_.memory.Allocate(kWarp * 16);
    return device_.Run("k", {1, 1, 1}, {kWarp, 1, 1}, Pack(out_));
  }

  // Register `place` of all lanes.
  std::vector<uint32_t> Run(const std::string& body, uint32_t place = 0) {
    const LaunchResult result = Launch(body);
    EXPECT_TRUE(result.ok()) << result.fault->message;
    const auto all = device_.memory.Download<uint32_t>(out_, kWarp * 4);
    std::vector<uint32_t> one;
    for (uint32_t lane = 0; lane < kWarp; ++lane) one.push_back(all[lane * 4 + place]);
    return one;
  }

  template <typename Value>
  static std::vector<uint32_t> OfEachLane(Value value) {
    std::vector<uint32_t> values;
    for (uint32_t lane = 0; lane < kWarp; ++lane) values.push_back(value(lane));
    return values;
  }

  testing::TestDevice device_;
  uint64_t out_ = 0;
};

TEST_F(MatricesTest, FourMatricesGoToFourRegisters) {
  for (uint32_t m = 0; m < 4; ++m) {
    SCOPED_TRACE(m);
    EXPECT_EQ(Run("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%d2];", m),
              OfEachLane([&](uint32_t lane) { return Held(m, lane); }));
    EXPECT_EQ(Run("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r1, %r2, %r3}, [%d2];", m),
              OfEachLane([&](uint32_t lane) { return HeldTransposed(m, lane); }));
  }
}

// Without a state space the address is generic; shapes and counts come in either order.
TEST_F(MatricesTest, OneMatrixOrTwoFromGenericAddresses) {
  EXPECT_EQ(Run("ldmatrix.sync.aligned.x2.m8n8.b16 {%r0, %r1}, [%d3];", 1),
            OfEachLane([](uint32_t lane) { return Held(1, lane); }));
  EXPECT_EQ(Run("ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%d3 + 256];"),
            OfEachLane([](uint32_t lane) { return Held(2, lane); }));
}

TEST_F(MatricesTest, RowsAreWhereEachLaneSays) {
  // The first matrix, its rows from the last to the first.
  EXPECT_EQ(Run("sub.u32 %r11, 7, %r10; mad.wide.s32 %d2, %r11, 16, %d1; "
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%d2];"),
            OfEachLane([](uint32_t lane) {
              return Number(0, 7 - lane / 4, lane % 4 * 2) |
                     Number(0, 7 - lane / 4, lane % 4 * 2 + 1) << 16;
            }));
}

TEST_F(MatricesTest, AddressesOfLanesThatNameNoRowDoNotMatter) {
  EXPECT_EQ(Run("setp.ge.u32 %p0, %r10, 8; @%p0 mov.u64 %d2, 0x7ffffff0; "
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%d2];"),
            OfEachLane([](uint32_t lane) { return Held(0, lane); }));
}

TEST_F(MatricesTest, WhatIsStoredTransposedIsTheTranspose) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r8, %r9}, [%d2]; ";
  const std::string back =
      "bar.sync 0; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0, %r1}, [%d2];";
  EXPECT_EQ(
      Run(load + "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%d2], {%r8, %r9}; " + back, 1),
      OfEachLane([](uint32_t lane) { return HeldTransposed(1, lane); }));
  // The two change places.
  EXPECT_EQ(Run(load + "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%d2], {%r9, %r8}; " + back, 0),
            OfEachLane([](uint32_t lane) { return Held(1, lane); }));
}

TEST_F(MatricesTest, RegistersAreTransposed) {
  EXPECT_EQ(Run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%d2]; "
                "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r8;"),
            OfEachLane([](uint32_t lane) { return HeldTransposed(0, lane); }));
}

TEST_F(MatricesTest, LanesThatDivergedMeet) {
  EXPECT_EQ(Run("and.b32 %r11, %r10, 1; setp.eq.u32 %p0, %r11, 1; @%p0 bra ODD;\n"
                "mov.u32 %r12, 0; LOOP: add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 50;\n"
                "@%p1 bra LOOP; ODD: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%d2];"),
            OfEachLane([](uint32_t lane) { return Held(0, lane); }));
}

TEST_F(MatricesTest, RowsMustBeAligned) {
  const LaunchResult result = Launch("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%d2 + 8];");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.fault->kind, FaultKind::kMisalignedAddress);
}

TEST_F(MatricesTest, RowsBeyondSharedMemoryAreFound) {
  const LaunchResult result =
      Launch("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%d2 + 448], {%r4};");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(result.findings[0].who.thread[0], 4u);  // the first rows still fit
}

TEST_F(MatricesTest, AsManyRegistersAsMatrices) {
  EXPECT_FALSE(device_.Load(Kernel("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1}, [%d2];")));
  EXPECT_THAT(device_.error.ToLogLine(),
              HasSubstr("Arguments mismatch for instruction 'ldmatrix'"));
}

}  // namespace
}  // namespace culprit::exec
