// SPDX-License-Identifier: Apache-2.0
#include "stress/run/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace culprit::stress {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A cycle in which these groups leak when all their members take part.
class Leaky {
 public:
  Leaky(Needs needs, std::vector<std::set<size_t>> groups)
      : needs_(std::move(needs)), groups_(std::move(groups)) {}

  std::vector<std::vector<size_t>> Find() {
    return FindGuilty(needs_, [this](std::span<const size_t> pairs) {
      ++runs_;
      std::set<size_t> taking_part(pairs.begin(), pairs.end());
      for (size_t pair = needs_.size(); pair-- > 0;) {
        if (taking_part.count(pair) != 0)
          taking_part.insert(needs_[pair].begin(), needs_[pair].end());
      }
      return std::any_of(groups_.begin(), groups_.end(), [&](const std::set<size_t>& group) {
        return std::includes(taking_part.begin(), taking_part.end(), group.begin(), group.end());
      });
    });
  }

  int runs() const { return runs_; }

 private:
  Needs needs_;
  std::vector<std::set<size_t>> groups_;
  int runs_ = 0;
};

TEST(BisectTest, ACycleThatKeepsNothingHasNoGuiltyPair) {
  EXPECT_THAT(Leaky(Needs(8), {}).Find(), IsEmpty());
  EXPECT_THAT(Leaky(Needs(0), {}).Find(), IsEmpty());
}

TEST(BisectTest, OneGuiltyPairIsFoundInFewRuns) {
  for (size_t guilty = 0; guilty < 41; ++guilty) {
    Leaky cycle(Needs(41), {{guilty}});
    EXPECT_THAT(cycle.Find(), ElementsAre(ElementsAre(guilty)));
    EXPECT_LE(cycle.runs(), 16);
  }
}

TEST(BisectTest, TwoPairsThatLeakOnlyTogetherAreNamedTogether) {
  EXPECT_THAT(Leaky(Needs(20), {{3, 17}}).Find(), ElementsAre(ElementsAre(3, 17)));
}

TEST(BisectTest, IndependentLeaksAreAllNamed) {
  auto groups = Leaky(Needs(20), {{2}, {11}, {12}}).Find();
  std::sort(groups.begin(), groups.end());
  EXPECT_THAT(groups, ElementsAre(ElementsAre(2), ElementsAre(11), ElementsAre(12)));
}

TEST(BisectTest, ThePairThatOthersNeedIsBlamedAndNotTheyAre) {
  Needs needs(6);
  for (size_t pair = 1; pair < 6; ++pair) needs[pair] = {0};
  EXPECT_THAT(Leaky(needs, {{0}}).Find(), ElementsAre(ElementsAre(0)));
}

TEST(BisectTest, APairIsBlamedWhenWhatItNeedsIsClean) {
  Needs needs(6);
  for (size_t pair = 1; pair < 6; ++pair) needs[pair] = {pair - 1};
  EXPECT_THAT(Leaky(needs, {{4}}).Find(), ElementsAre(ElementsAre(4)));
}

}  // namespace
}  // namespace culprit::stress
