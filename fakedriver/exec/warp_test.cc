// SPDX-License-Identifier: Apache-2.0
//
// Exchanges between lanes, atomics, barriers with results, memory in every space and width.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "fakedriver/exec/testing/test_device.h"
#include "fakedriver/exec/texture.h"

namespace culprit::exec {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::Pack;

class WarpTest : public ::testing::Test {
 protected:
  // Each thread leaves %r0 at out[tid]; %r1 is the thread, %r2 the second parameter.
  std::vector<uint32_t> Run(const std::string& body, uint32_t threads = 32, uint64_t parameter = 0,
                            const std::string& module = "") {
    std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n" + module +
        ".visible .entry k(.param .u64 out, .param .u64 x) {\n"
        ".reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .f32 %f<8>; .reg .pred %p<8>;\n"
        "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [x]; cvt.u32.u64 %r2, %d1;\n" +
        body +
        "\nld.param.u64 %d0, [out]; mad.wide.u32 %d0, %r1, 4, %d0; st.global.u32 [%d0], "
        "%r0;\nret;\n}\n";
    EXPECT_TRUE(device_.Load(text)) << device_.error.ToLogLine();
    if (device_.program == nullptr) return {};
    uint64_t out = device_.memory.Allocate(threads * 4);
    LaunchResult result = device_.Run("k", {1, 1, 1}, {threads, 1, 1}, Pack(out, parameter));
    EXPECT_TRUE(result.ok()) << result.fault->message;
    return device_.memory.Download<uint32_t>(out, threads);
  }

  std::vector<uint32_t> Each32(uint32_t (*f)(uint32_t)) {
    std::vector<uint32_t> values;
    for (uint32_t l = 0; l < 32; ++l) values.push_back(f(l));
    return values;
  }

  testing::TestDevice device_;
};

TEST_F(WarpTest, WordsAreMadeOfBytesAndTakenApart) {
  const std::string bytes =
      ".reg .b8 %b<4>; add.u32 %r3, %r1, 0x80; cvt.u8.u32 %b0, %r3; cvt.u8.u32 %b1, 7; ";
  EXPECT_EQ(Run(bytes + "mov.b16 %h0, {%b1, %b0}; cvt.u32.u16 %r0, %h0;"),
            Each32([](uint32_t l) { return (l + 0x80) << 8 | 7; }));
  EXPECT_EQ(Run(bytes + "mov.b32 %r0, {%b0, 0, %b1, 0x1ff};"),
            Each32([](uint32_t l) { return (l + 0x80) | 0xff070000; }));
  EXPECT_EQ(Run(bytes + "mov.b32 {%b2, _, %b3, _}, 0x44332211; mov.b16 %h0, {%b3, %b2}; "
                        "cvt.u32.u16 %r0, %h0;"),
            Each32([](uint32_t) { return 0x1133u; }));
}

TEST_F(WarpTest, BytesAndBf16BecomeEachOtherInRegistersOfTheirSizeOnly) {
  const std::string value = ".reg .b8 %b<4>; cvt.rn.f32.u32 %f0, %r1; cvt.rn.bf16.f32 %h0, %f0; ";
  EXPECT_EQ(Run(value + "neg.bf16 %h0, %h0; cvt.rzi.s8.bf16 %b0, %h0; mov.b16 %h1, {%b0, 0}; "
                        "cvt.u32.u16 %r0, %h1;"),
            Each32([](uint32_t l) { return -l & 0xff; }));
  EXPECT_EQ(Run(value + "cvt.u8.u32 %b0, %r1; cvt.rn.bf16.s8 %h1, %b0; cvt.f32.bf16 %f1, %h1; "
                        "cvt.rzi.u32.f32 %r0, %f1;"),
            Each32([](uint32_t l) { return l; }));
  for (const char* wide : {"cvt.rzi.s8.bf16 %h1, %h0;", "cvt.rn.bf16.u8 %h1, %h0;"}) {
    EXPECT_FALSE(
        device_.Load(".version 8.6\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k() { .reg .b16 %h<2>;\n" +
                     std::string(wide) + "\nret; }\n"));
    EXPECT_EQ(device_.error.ToLogLine(),
              "ptxas application ptx input, line 5; error   : Arguments mismatch for instruction "
              "'cvt'");
  }
}

TEST_F(WarpTest, ShufflesReadOtherLanes) {
  const std::string value = "mul.lo.u32 %r3, %r1, 10; ";
  EXPECT_EQ(Run(value + "shfl.sync.down.b32 %r0, %r3, 4, 31, -1;"),
            Each32([](uint32_t l) { return (l + 4 < 32 ? l + 4 : l) * 10; }));
  EXPECT_EQ(Run(value + "shfl.sync.up.b32 %r0, %r3, 3, 0, -1;"),
            Each32([](uint32_t l) { return (l >= 3 ? l - 3 : l) * 10; }));
  EXPECT_EQ(Run(value + "shfl.sync.bfly.b32 %r0, %r3, 5, 31, -1;"),
            Each32([](uint32_t l) { return (l ^ 5) * 10; }));
  EXPECT_EQ(Run(value + "shfl.sync.idx.b32 %r0, %r3, 2, 0x181f, -1;"),
            Each32([](uint32_t l) { return (l / 8 * 8 + 2) * 10; }));
  EXPECT_EQ(Run(value + "shfl.sync.down.b32 %r4|%p0, %r3, 4, 31, -1; selp.u32 %r0, 1, 0, %p0;"),
            Each32([](uint32_t l) { return l < 28 ? 1u : 0u; }));
}

TEST_F(WarpTest, VotesAndMatches) {
  const std::string odd = "and.b32 %r3, %r1, 1; setp.eq.u32 %p0, %r3, 1; ";
  EXPECT_THAT(Run(odd + "vote.sync.ballot.b32 %r0, %p0, -1;"), Each(0xaaaaaaaau));
  EXPECT_THAT(Run(odd + "vote.sync.any.pred %p1, %p0, -1; selp.u32 %r0, 1, 0, %p1;"), Each(1u));
  EXPECT_THAT(Run(odd + "vote.sync.all.pred %p1, !%p0, -1; selp.u32 %r0, 1, 0, %p1;"), Each(0u));
  EXPECT_EQ(Run("and.b32 %r3, %r1, 3; match.any.sync.b32 %r0, %r3, -1;"),
            Each32([](uint32_t l) { return 0x11111111u << (l & 3); }));
  EXPECT_THAT(Run("mov.u32 %r3, 7; match.all.sync.b32 %r0|%p1, %r3, -1;"), Each(UINT32_MAX));
  EXPECT_THAT(Run("redux.sync.add.s32 %r0, %r1, -1;"), Each(496u));
  EXPECT_THAT(Run("redux.sync.max.u32 %r0, %r1, -1;"), Each(31u));
  EXPECT_THAT(Run("elect.sync %r0|%p0, -1;"), Each(0u));
}

TEST_F(WarpTest, LanesThatDivergedMeetAtAWarpInstruction) {
  // Even lanes come later, through a loop; the shuffle waits for them.
  std::string body =
      "and.b32 %r3, %r1, 1; setp.eq.u32 %p0, %r3, 1; mov.u32 %r4, 0; @%p0 bra ODD;\n"
      "LOOP: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 50; @%p1 bra LOOP;\n"
      "shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0x55555555; bra DONE;\n"
      "ODD: activemask.b32 %r0;\nDONE: bar.warp.sync -1;\n";
  EXPECT_EQ(Run(body), Each32([](uint32_t l) { return l % 2 == 1 ? 0xaaaaaaaau : l + 1; }));
}

TEST_F(WarpTest, BarriersReduceOverTheBlock) {
  EXPECT_THAT(Run("setp.lt.u32 %p0, %r1, 20; bar.red.popc.u32 %r0, 0, %p0;", 96), Each(20u));
  EXPECT_THAT(
      Run("setp.lt.u32 %p0, %r1, 20; bar.red.or.pred %p1, 0, %p0; selp.u32 %r0, 5, 6, %p1;", 96),
      Each(5u));
  EXPECT_THAT(Run("setp.lt.u32 %p0, %r1, 20; barrier.cta.red.and.aligned.pred %p1, 3, 96, !%p0; "
                  "selp.u32 %r0, 5, 6, %p1;",
                  96),
              Each(6u));
}

TEST_F(WarpTest, AtomicsGiveTheOldValue) {
  const std::string module = ".shared .align 8 .b8 s[64];\n";
  const std::string start = "setp.eq.u32 %p0, %r1, 0; @%p0 st.shared.u32 [s], 5; bar.sync 0; ";
  EXPECT_EQ(Run(start + "atom.shared.add.u32 %r0, [s], 2;", 32, 0, module),
            Each32([](uint32_t l) { return 5 + 2 * l; }));
  EXPECT_EQ(Run(start + "atom.shared.inc.u32 %r0, [s], 7;", 32, 0, module),
            Each32([](uint32_t l) { return (5 + l) % 8; }));
  EXPECT_EQ(Run(start + "atom.shared.cas.b32 %r0, [s], 5, %r1;", 32, 0, module),
            Each32([](uint32_t l) { return l == 0 ? 5u : 0u; }));
  EXPECT_THAT(Run(start + "red.shared.max.s32 [s], %r1; bar.sync 0; ld.shared.u32 %r0, [s];", 32, 0,
                  module),
              Each(31u));
  EXPECT_THAT(Run("setp.eq.u32 %p0, %r1, 0; @%p0 st.shared.f32 [s], 0f3F800000; bar.sync 0; "
                  "cvt.rn.f32.u32 %f0, %r1; "
                  "red.shared.add.f32 [s], %f0; bar.sync 0; ld.shared.u32 %r0, [s];",
                  32, 0, module),
              Each(std::bit_cast<uint32_t>(497.0f)));
}

TEST_F(WarpTest, GenericAddressesReachEverySpace) {
  const std::string module =
      ".shared .align 4 .b8 s[256];\n.const .align 4 .u32 c = 3000;\n.global .align 4 .u32 g = "
      "200;\n";
  std::string body =
      ".local .align 4 .b8 stack[64];\n"
      "mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; mad.wide.u32 %d2, %r1, 4, %d2; st.u32 [%d2], %r1; "
      "ld.u32 %r3, [%d2];\n"
      "mov.u64 %d3, stack; cvta.local.u64 %d4, %d3; st.u32 [%d4+8], 40000; ld.local.u32 %r4, "
      "[%d3+8];\n"
      "mov.u64 %d5, c; cvta.const.u64 %d5, %d5; ld.u32 %r5, [%d5]; ld.global.u32 %r6, [g];\n"
      "add.u32 %r0, %r3, %r4; add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6;\n"
      "isspacep.shared %p0, %d2; @!%p0 mov.u32 %r0, 1; isspacep.local %p1, %d2; @%p1 mov.u32 %r0, "
      "2;";
  EXPECT_EQ(Run(body, 32, 0, module), Each32([](uint32_t l) { return 43200 + l; }));
}

TEST_F(WarpTest, LocalMemoryMayBeIndexedByEachLane) {
  std::string body =
      ".local .align 8 .b8 stack[64];\nmov.u64 %d2, stack; mov.u32 %r3, 0;\n"
      "LOOP: mad.wide.u32 %d3, %r3, 2, %d2; mul.lo.u32 %r4, %r3, %r1; cvt.u16.u32 %h0, %r4; "
      "st.local.u16 [%d3], %h0;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 32; @%p0 bra LOOP;\n"
      "mad.wide.u32 %d3, %r1, 2, %d2; ld.local.u16 %r0, [%d3];";
  EXPECT_EQ(Run(body), Each32([](uint32_t l) { return l * l; }));
}

TEST_F(WarpTest, VectorAccessesMoveSeveralRegisters) {
  uint64_t data = device_.memory.Upload(std::vector<uint32_t>{1, 20, 300, 4000});
  EXPECT_THAT(Run("ld.global.v4.u32 {%r3, %r4, %r5, _}, [%d1]; add.u32 %r0, %r3, %r4; add.u32 %r0, "
                  "%r0, %r5;",
                  32, data),
              Each(321u));
  EXPECT_THAT(Run("ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%d1+8]; cvt.u32.u16 %r3, %h0; "
                  "cvt.u32.u16 %r4, %h1; shl.b32 %r4, %r4, 8; or.b32 %r0, %r3, %r4;",
                  32, data),
              Each(300u));
}

TEST_F(WarpTest, AsynchronousCopiesAndBarriersInSharedMemory) {
  uint64_t data = device_.memory.Upload(std::vector<uint32_t>{11, 22, 33, 44});
  const std::string module = ".shared .align 16 .b8 s[64];\n.shared .align 8 .b64 bar;\n";
  std::string body =
      "setp.eq.u32 %p0, %r1, 0; @%p0 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;\n"
      "@%p0 cp.async.ca.shared.global [s], [%d1], 16; cp.async.commit_group; cp.async.wait_group "
      "0;\n"
      "mbarrier.arrive.shared.b64 %d5, [bar];\n"
      "WAIT: mbarrier.try_wait.shared.b64 %p1, [bar], %d5; @!%p1 bra WAIT;\n"
      "ld.shared.u32 %r0, [s+8];";
  EXPECT_THAT(Run(body, 64, data, module), Each(33u));
}

TEST_F(WarpTest, IndexedBranchesTakeEachLanesTarget) {
  std::string body =
      "T: .branchtargets A, B, C;\nrem.u32 %r3, %r1, 3; brx.idx %r3, T;\n"
      "A: mov.u32 %r0, 100; bra END;\nB: mov.u32 %r0, 200; bra END;\nC: mov.u32 %r0, 300;\nEND:";
  EXPECT_EQ(Run(body), Each32([](uint32_t l) { return 100 * (l % 3 + 1); }));
}

class OneTexture : public TextureTable {
 public:
  const Texture* Find(uint64_t handle) override { return handle == 77 ? &texture : nullptr; }
  Texture texture;
};

TEST_F(WarpTest, TexturesAreReadAsIntegersFloatsAndFiltered) {
  std::vector<uint8_t> texels{0, 51, 102, 255, 10, 20, 30, 40};
  OneTexture table;
  table.texture.texels = reinterpret_cast<std::byte*>(texels.data());
  table.texture.width = 4;
  table.texture.height = 2;
  table.texture.row_pitch = 4;
  table.texture.read_as_integer = true;
  device_.environment.textures = &table;
  const std::string at =
      "cvt.rn.f32.u32 %f0, %r1; add.f32 %f0, %f0, 0f3F000000; mov.f32 %f1, 0f3FC00000; ";
  EXPECT_THAT(Run(at + "tex.2d.v4.u32.f32 {%r0, %r3, %r4, %r5}, [%d1, {%f0, %f1}];", 6, 77),
              ElementsAre(10, 20, 30, 40, 40, 40));
  EXPECT_THAT(
      Run("mov.u32 %r3, 0; tex.2d.v4.u32.s32 {%r0, %r4, %r5, %r6}, [%d1, {%r1, %r3}];", 4, 77),
      ElementsAre(0, 51, 102, 255));
  table.texture.read_as_integer = false;
  EXPECT_THAT(Run("mov.u32 %r3, 0; tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d1, {%r1, %r3}]; "
                  "mov.b32 %r0, %f0;",
                  2, 77),
              ElementsAre(0, std::bit_cast<uint32_t>(51.0f / 255.0f)));
  table.texture.linear_filter = true;
  // Half of 51/255 in the 16 bits to which an H200 rounds a filtered eight-bit texture.
  EXPECT_THAT(Run("mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f3F000000; tex.2d.v4.f32.f32 {%f2, %f3, "
                  "%f4, %f5}, [%d1, {%f0, %f1}]; mov.b32 %r0, %f2;",
                  1, 77),
              ElementsAre(std::bit_cast<uint32_t>(6554.0f / 65535.0f)));
  EXPECT_THAT(
      Run("txq.width.b32 %r3, [%d1]; txq.height.b32 %r4, [%d1]; mad.lo.u32 %r0, %r3, 10, %r4;", 1,
          77),
      ElementsAre(42));
  EXPECT_THAT(Run("mov.u32 %r3, 1; suld.b.2d.b8.trap %h0, [%d1, {%r1, %r3}]; cvt.u32.u16 %r0, %h0; "
                  "add.u16 %h0, %h0, 1; sust.b.2d.b8.trap [%d1, {%r1, %r3}], %h0;",
                  4, 77),
              ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(texels, ElementsAre(0, 51, 102, 255, 11, 21, 31, 41));
}

TEST_F(WarpTest, VideoInstructionsWorkOnBytesAndHalves) {
  const std::string words = "mov.u32 %r3, 0x01fe7f80; mov.u32 %r4, 0x02040110; mov.u32 %r5, 0; ";
  EXPECT_THAT(Run(words + "vadd4.u32.u32.u32 %r0, %r3, %r4, %r5;"), Each(0x03028090u));
  EXPECT_THAT(Run(words + "vadd4.u32.u32.u32.sat %r0, %r3, %r4, %r5;"), Each(0x03ff8090u));
  EXPECT_THAT(Run(words + "vabsdiff4.u32.u32.u32.add %r0, %r3, %r4, 1000;"),
              Each(1000u + 0x01 + 0xfa + 0x7e + 0x70));
  EXPECT_THAT(Run(words + "vmax2.s32.s32.s32 %r0, %r3, %r4, %r5;"), Each(0x02047f80u));
  EXPECT_THAT(Run(words + "vavrg4.u32.u32.u32 %r0.b20, %r3, %r4, -1;"), Each(0xff81ff48u));
  EXPECT_THAT(Run(words + "vadd.s32.s32.u32 %r0, %r3.b2, %r4.h1;"), Each(0x204u - 2));
  EXPECT_THAT(Run(words + "vsub.u32.u32.u32.sat %r0.b1, %r4.b0, %r3.b1, 0x11223344;"),
              Each(0x11220044u));
  EXPECT_THAT(Run(words + "vshl.u32.u32.u32.wrap.add %r0, %r4.b1, 33, 5;"), Each(7u));
  EXPECT_THAT(Run(words + "vset4.u32.u32.lt %r0, %r3, %r4, %r5;"), Each(0x01000000u));
}

TEST_F(WarpTest, DynamicStackGrowsAndShrinks) {
  std::string body =
      "stacksave.u64 %d2; alloca.u64 %d3, 16, 16; st.local.u32 [%d3+12], %r1; ld.local.u32 %r0, "
      "[%d3+12]; stackrestore.u64 %d2;";
  EXPECT_EQ(Run(body), Each32([](uint32_t l) { return l; }));
}

TEST_F(WarpTest, DeviceMallocGivesUsableMemory) {
  const std::string module =
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";
  std::string body =
      "{ .param .b64 a; .param .b64 r; st.param.b64 [a], 16; call (r), malloc, (a); ld.param.b64 "
      "%d2, [r]; }\n"
      "st.u32 [%d2+4], %r1; ld.u32 %r0, [%d2+4];\n"
      "{ .param .b64 a; st.param.b64 [a], %d2; call free, (a); }";
  EXPECT_EQ(Run(body, 32, 0, module), Each32([](uint32_t l) { return l; }));
}

}  // namespace
}  // namespace culprit::exec
