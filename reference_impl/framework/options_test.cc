// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/options.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace culprit::reference {
namespace {

struct Read {
  Status status;
  std::string suffix;
  double weight = 1;
  bool zero = false;
};

Read ReadAll(const Options& options) {
  Read read;
  read.status = OptionReader(options)
                    .Flag("motion_force_zero", "force_0", &read.zero)
                    .Number("motion_fps_weight", "mfw", &read.weight)
                    .Finish(&read.suffix);
  return read;
}

TEST(OptionReaderTest, DefaultsHaveNoSuffix) {
  EXPECT_EQ(ReadAll({}).suffix, "");
  EXPECT_EQ(ReadAll({{"motion_fps_weight", "1"}, {"motion_force_zero", "false"}}).suffix, "");
}

TEST(OptionReaderTest, ValuesReachTheSuffixInOrder) {
  const Read read = ReadAll({{"motion_fps_weight", "1.50"}, {"motion_force_zero", "true"}});
  EXPECT_TRUE(read.status.ok());
  EXPECT_EQ(read.suffix, "_force_0_mfw_1.5");
  EXPECT_EQ(read.weight, 1.5);
  EXPECT_TRUE(read.zero);
}

TEST(OptionReaderTest, RefusesWhatCannotBeRead) {
  for (const char* value : {"", "x", "1x", "nan", "inf", "1e999"}) {
    EXPECT_EQ(ReadAll({{"motion_fps_weight", value}}).status.code(), -EINVAL) << value;
  }
  EXPECT_EQ(ReadAll({{"motion_force_zero", "yes"}}).status.code(), -EINVAL);
}

TEST(OptionReaderTest, RefusesAnUnknownOptionByName) {
  const Read read = ReadAll({{"motion_fsp_weight", "2"}});
  EXPECT_EQ(read.status.code(), -EINVAL);
  EXPECT_NE(read.status.error().message.find("motion_fsp_weight"), std::string::npos);
}

}  // namespace
}  // namespace culprit::reference
