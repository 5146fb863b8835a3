// SPDX-License-Identifier: Apache-2.0
#include "stress/run/cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace culprit::stress {
namespace {

using ::testing::ElementsAre;

// Four pairs a..d that write down what is called; c needs a.
class CycleTest : public ::testing::Test {
 protected:
  CycleTest() {
    for (char name = 'a'; name <= 'd'; ++name) {
      pairs_.push_back({std::string("take_") + name, std::string("give_") + name,
                        [this, name] { return Call(name); },
                        [this, name] { return Call(static_cast<char>(name - 'a' + 'A')); },
                        name == 'c' ? std::vector<size_t>{0} : std::vector<size_t>{}});
    }
  }

  Outcome Call(char name) {
    calls_ += name;
    return {"call", name == failing_ ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS};
  }

  std::vector<Pair> pairs_;
  std::string calls_;
  char failing_ = 0;
};

TEST_F(CycleTest, GivesBackInReverse) {
  Cycle cycle(pairs_);
  EXPECT_TRUE(cycle.Run().ok());
  EXPECT_EQ(calls_, "abcdDCBA");
  EXPECT_EQ(cycle.live(), 0);
}

TEST_F(CycleTest, ALeakedPairStaysAliveEachTime) {
  Cycle cycle(pairs_);
  cycle.Leak(1);
  EXPECT_TRUE(cycle.Run().ok());
  EXPECT_TRUE(cycle.Run().ok());
  EXPECT_EQ(calls_, "abcdDCAabcdDCA");
  EXPECT_EQ(cycle.live(), 2);
  cycle.Leak(std::nullopt);
  EXPECT_TRUE(cycle.Run().ok());
  EXPECT_EQ(cycle.live(), 2);
}

TEST_F(CycleTest, AFailedTakeGivesBackWhatCameBefore) {
  failing_ = 'c';
  Cycle cycle(pairs_);
  const Outcome outcome = cycle.Run();
  EXPECT_EQ(outcome.result(), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(calls_, "abcBA");
  EXPECT_EQ(cycle.live(), 0);
}

TEST_F(CycleTest, AFailedGiveIsReportedAndTheRestIsGivenBack) {
  failing_ = 'C';
  Cycle cycle(pairs_);
  EXPECT_EQ(cycle.Run().result(), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(calls_, "abcdDCBA");
  EXPECT_EQ(cycle.live(), 1);
}

TEST_F(CycleTest, AChoiceBringsWhatItNeeds) {
  Cycle cycle(pairs_);
  cycle.Choose(std::vector<size_t>{2});
  EXPECT_TRUE(cycle.Run().ok());
  EXPECT_EQ(calls_, "acCA");
  EXPECT_THAT(cycle.chosen(), ElementsAre(true, false, true, false));
}

}  // namespace
}  // namespace culprit::stress
