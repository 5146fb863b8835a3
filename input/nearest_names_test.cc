// SPDX-License-Identifier: Apache-2.0
#include "input/nearest_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNames = {"certify", "verify", "replay", "run", "new-port"};

TEST(NearestNamesTest, HaveFewLettersThatDiffer) {
  EXPECT_THAT(NearestNames("certfy", kNames), ElementsAre("certify"));
  EXPECT_THAT(NearestNames("repaly", kNames), ElementsAre("replay"));
  EXPECT_THAT(NearestNames("new_port", kNames), ElementsAre("new-port"));
}

TEST(NearestNamesTest, OrBeginAlike) {
  EXPECT_THAT(NearestNames("r", kNames), ElementsAre("replay", "run"));
}

TEST(NearestNamesTest, AreNoneWhereNothingIsAlike) {
  EXPECT_THAT(NearestNames("frobnicate", kNames), IsEmpty());
  EXPECT_THAT(NearestNames("xy", kNames), IsEmpty());
  EXPECT_THAT(NearestNames("", kNames), IsEmpty());
}

}  // namespace
}  // namespace culprit
