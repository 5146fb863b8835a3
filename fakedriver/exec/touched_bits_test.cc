// SPDX-License-Identifier: Apache-2.0
//
// Which bytes a warp touches is noted to the byte, however its lanes lie to each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using testing::Pack;

constexpr uint64_t kBytes = 16384;
constexpr uint32_t kLanesOfWarp = 32;

struct Access {
  const char* name;
  uint32_t bytes;
  const char* load;
  const char* store;
};

class TouchedBits : public ::testing::TestWithParam<Access> {
 protected:
  // Of a warp whose lane l uses element `offset(l)`, those lanes in `lanes` only; the others have
  // ended or pass it by. Then all go on by the next of `moves` and use that, and so on.
  void Expect(const std::function<uint64_t(uint64_t)>& offset, uint32_t lanes = ~0u,
              std::vector<uint64_t> moves = {}) {
    moves.push_back(0);  // after the last use
    const uint64_t bytes = GetParam().bytes;
    std::vector<uint64_t> offsets;
    std::vector<uint64_t> expected(kBytes / 64);
    for (uint64_t l = 0; l < kLanesOfWarp; ++l) {
      offsets.push_back(offset(l) * bytes);
      uint64_t at = offsets[l];
      for (const uint64_t move : moves) {
        for (uint64_t byte = at; byte < at + bytes && (lanes >> l & 1) != 0; ++byte)
          expected[byte / 64] |= uint64_t{1} << byte % 64;
        at += move * bytes;
      }
    }
    for (uint64_t& move : moves) move *= bytes;
    const std::vector<uint64_t> none(kBytes / 64);
    for (const bool store : {false, true}) {
      for (const bool ended : {false, true}) {
        SCOPED_TRACE(std::string(store ? "store" : "load") + (ended ? ", others ended" : ""));
        Load(store ? GetParam().store : GetParam().load, ended);
        const uint64_t at = device_.memory.Upload(offsets);
        const uint64_t on = device_.memory.Upload(moves);
        const uint64_t data = device_.memory.Allocate(kBytes);
        std::vector<uint64_t> read = none, written = none, atomic = none;
        device_.memory.NoteTouched({read.data(), written.data(), atomic.data()});
        EXPECT_TRUE(device_
                        .Run("k", {1, 1, 1}, {kLanesOfWarp, 1, 1},
                             Pack(data, at, lanes, on, static_cast<uint32_t>(moves.size())))
                        .ok());
        EXPECT_EQ(store ? written : read, expected);
        EXPECT_EQ(store ? read : written, none);
      }
    }
  }

 private:
  void Load(const std::string& access, bool ended) {
    const std::string first = ended ? "@!%p0 exit;\n" : "";
    const std::string use = ended ? access : "@%p0 " + access;
    ASSERT_TRUE(device_.Load(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 offsets, .param .u32 lanes, .param .u64 moves,
                  .param .u32 uses)
{
  .reg .b16 %h<2>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<2>;
  ld.param.u64 %d0, [data]; ld.param.u64 %d1, [offsets]; ld.param.u32 %r0, [lanes];
  mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 8; add.u64 %d2, %d1, %d2;
  ld.global.u64 %d3, [%d2]; add.u64 %d3, %d0, %d3;
  shr.u32 %r2, %r0, %r1; and.b32 %r2, %r2, 1; setp.eq.u32 %p0, %r2, 1;
  ld.param.u64 %d4, [moves]; ld.param.u32 %r5, [uses];
  )" + first + "USE: " + use +
                             R"(
  ld.global.u64 %d5, [%d4]; add.u64 %d3, %d3, %d5; add.u64 %d4, %d4, 8;
  sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra USE;
  ret;
})")) << device_.error.ToLogLine();
  }

  testing::TestDevice device_;
};

TEST_P(TouchedBits, OfOneRow) {
  Expect([](uint64_t l) { return 5 + l; });
}

TEST_P(TouchedBits, OfOnePlace) {
  Expect([](uint64_t) { return 3; });
}

TEST_P(TouchedBits, OfSeveralRows) {
  for (const uint64_t width : {16, 8, 4}) {
    SCOPED_TRACE(width);
    Expect([=](uint64_t l) { return 1 + l / width * 29 + l % width; });
  }
}

TEST_P(TouchedBits, OfEverySecondElement) {
  Expect([](uint64_t l) { return 2 * l; });
}

TEST_P(TouchedBits, OfARowHeldBackAtItsEnds) {
  Expect([](uint64_t l) { return l < 3 ? 3 : l > 27 ? 27 : l; });
}

TEST_P(TouchedBits, OfARowBackwards) {
  Expect([](uint64_t l) { return 100 - l; });
}

TEST_P(TouchedBits, OfSomeLanes) {
  for (const uint32_t lanes : {0xfffffu, 0xfffff000u, 0x0ff00ff0u, 0x55555555u, 1u, 0x80000000u}) {
    SCOPED_TRACE(lanes);
    Expect([](uint64_t l) { return 7 + l; }, lanes);
    Expect([](uint64_t l) { return l / 16 * 40 + l % 16; }, lanes);
  }
}

TEST_P(TouchedBits, OfAWindowThatMoves) {
  const uint64_t back = ~uint64_t{0};
  for (const uint64_t step : {2, 3, 5}) {
    SCOPED_TRACE(step);
    for (const uint64_t by : {uint64_t{1}, step, 7 * step, 31 * step, 32 * step, 33 * step}) {
      SCOPED_TRACE(by);
      Expect([=](uint64_t l) { return step * l; }, ~0u, {by, by, by * back, by});
      Expect([=](uint64_t l) { return 3 * by + step * l; }, ~0u,
             {by * back, by * back, by, by * 3});
      Expect([=](uint64_t l) { return by + step * (31 - l); }, ~0u, {by, by * back, by * back, by});
    }
  }
}

TEST_P(TouchedBits, OfWindowsInTwoRows) {
  for (const uint64_t step : {1, 2, 5}) {
    SCOPED_TRACE(step);
    Expect([=](uint64_t l) { return 100 + l / 16 * 301 + l % 16 * step; }, ~0u,
           {step, step, 17 * step, ~uint64_t{0} * 20, 1, step});
    Expect([=](uint64_t l) { return 400 - l / 16 * 50 - l % 16 * step; }, ~0u, {step, 3, step});
  }
}

TEST_P(TouchedBits, OfWindowsHereAndThere) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    SCOPED_TRACE(round);
    const uint64_t step = 1 + random() % 4;
    std::vector<uint64_t> moves;
    for (uint64_t at = 0, next = 0; moves.size() < 20; at = next) {
      next = random() % 2 != 0 ? random() % 380 : (at + step * (random() % 9)) % 380;
      moves.push_back(next - at);
    }
    Expect([=](uint64_t l) { return step * l; }, ~0u, moves);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Accesses, TouchedBits,
    ::testing::Values(Access{"Halves", 2, "ld.global.u16 %h0, [%d3];", "st.global.u16 [%d3], %h0;"},
                      Access{"Words", 4, "ld.global.u32 %r3, [%d3];", "st.global.u32 [%d3], %r3;"},
                      Access{"Pairs", 8, "ld.global.v2.u32 {%r3, %r4}, [%d3];",
                             "st.global.v2.u32 [%d3], {%r3, %r4};"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace culprit::exec
