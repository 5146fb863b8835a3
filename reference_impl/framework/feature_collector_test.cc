// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/feature_collector.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace culprit::reference {
namespace {

TEST(FeatureCollectorTest, RefusesASecondWriteAndKeepsTheFirst) {
  FeatureCollector collector;
  EXPECT_TRUE(collector.Append("motion", 3, 1.5).ok());
  const Status second = collector.Append("motion", 3, 2.5);
  EXPECT_EQ(second.code(), -EINVAL);
  EXPECT_EQ(second.error().domain, Domain::kExtractor);
  double value = 0;
  EXPECT_TRUE(collector.Get("motion", 3, &value).ok());
  EXPECT_EQ(value, 1.5);
}

TEST(FeatureCollectorTest, TellsAnUnknownKeyFromAMissingFrame) {
  FeatureCollector collector;
  EXPECT_TRUE(collector.Append("motion", 0, 0).ok());
  double value = 0;
  EXPECT_EQ(collector.Get("motion", 1, &value).code(), -EAGAIN);
  EXPECT_EQ(collector.Get("vif", 0, &value).code(), -ENOENT);
}

TEST(FeatureCollectorTest, EnumeratesKeysInOrder) {
  FeatureCollector collector;
  EXPECT_TRUE(collector.Append("b", 0, 0).ok());
  EXPECT_TRUE(collector.Append("a", 0, 0).ok());
  EXPECT_STREQ(collector.KeyAt(0), "a");
  EXPECT_STREQ(collector.KeyAt(1), "b");
  EXPECT_EQ(collector.KeyAt(2), nullptr);
}

}  // namespace
}  // namespace culprit::reference
