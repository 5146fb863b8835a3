// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/model/pooled_score.h"

#include <gtest/gtest.h>

namespace culprit::reference {
namespace {

TEST(PooledScoreTest, OfFramesThatDiffer) {
  const double scores[] = {0, 1, 3};
  const PooledScore pooled = Pool(scores);
  EXPECT_EQ(pooled.min, 0);
  EXPECT_EQ(pooled.max, 3);
  EXPECT_DOUBLE_EQ(pooled.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(pooled.harmonic_mean, 3 / 1.75 - 1);
}

}  // namespace
}  // namespace culprit::reference
