// SPDX-License-Identifier: Apache-2.0
//
// Fetches with values recorded on an H200 (driver 580): a row of texels read along x, filtered.
#include "fakedriver/exec/machine/texture_fetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

namespace culprit::exec {
namespace {

using ::testing::ElementsAre;

// 8 x 4 texels of one unsigned channel in rows of 512 bytes: byte i holds 37 i + 11 (i / 512).
class FetchTextureTest : public ::testing::Test {
 protected:
  FetchTextureTest() : bytes_(512 * 8) {
    for (size_t i = 0; i < bytes_.size(); ++i)
      bytes_[i] = static_cast<std::byte>(i * 37 + 11 * (i / 512));
    texture_.texels = bytes_.data();
    texture_.width = 8;
    texture_.height = 4;
    texture_.row_pitch = 512;
    texture_.linear_filter = true;
  }

  std::vector<uint32_t> Row(float y, bool as_float) {
    std::vector<uint32_t> values;
    for (float x : {0.5f, 0.625f, 0.75f, 0.875f, 1.0f, 1.125f, 1.5f}) {
      TextureCoordinates at;
      at.position = {x, y, 0};
      values.push_back(FetchTexture(texture_, at, 2, as_float)[0]);
    }
    return values;
  }

  // What a float result is in steps of 1/65535.
  std::vector<uint32_t> Steps(float y) {
    std::vector<uint32_t> steps;
    for (uint32_t bits : Row(y, true)) {
      const float value = std::bit_cast<float>(bits);
      const float step = static_cast<float>(static_cast<uint32_t>(value * 65535.0f + 0.5f));
      EXPECT_EQ(value, step / 65535.0f);
      steps.push_back(static_cast<uint32_t>(step));
    }
    return steps;
  }

  std::vector<std::byte> bytes_;
  Texture texture_;
};

TEST_F(FetchTextureTest, BlendsOfBytesHaveSixteenBits) {
  EXPECT_THAT(Steps(1.25f), ElementsAre(2120, 3309, 4498, 5686, 6875, 8063, 11629));
}

TEST_F(FetchTextureTest, BlendsReadAsIntegersAreRounded) {
  texture_.read_as_integer = true;
  EXPECT_THAT(Row(1.25f, false), ElementsAre(8, 13, 18, 22, 27, 31, 45));
  EXPECT_THAT(Row(1.5f, false), ElementsAre(11, 16, 20, 25, 30, 34, 48));
}

TEST_F(FetchTextureTest, BlendsOfSixteenBitTexelsRoundHalfUpwards) {
  texture_.bits = 16;
  EXPECT_THAT(Steps(1.25f), ElementsAre(11592, 13970, 16347, 18724, 21101, 23479, 30610));
  texture_.read_as_integer = true;
  EXPECT_THAT(Row(1.5f, false), ElementsAre(12299, 14676, 17054, 19431, 21808, 24185, 31317));
}

TEST_F(FetchTextureTest, PointsAreReadAsTheyAre) {
  texture_.linear_filter = false;
  texture_.read_as_integer = true;
  EXPECT_THAT(Row(1.25f, false), ElementsAre(11, 11, 11, 11, 48, 48, 48));
}

TEST_F(FetchTextureTest, OutsideTheBorderIsClamped) {
  texture_.read_as_integer = true;
  TextureCoordinates at;
  at.position = {-3.0f, 1.5f, 0};
  EXPECT_EQ(FetchTexture(texture_, at, 2, false)[0], 11u);
}

}  // namespace
}  // namespace culprit::exec
