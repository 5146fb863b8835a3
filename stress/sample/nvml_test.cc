// SPDX-License-Identifier: Apache-2.0
#include "stress/sample/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "stress/sample/resource.h"

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;

constexpr unsigned char kKnown[16] = {0xab, 0xcd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
constexpr unsigned char kStranger[16] = {0xff, 0xff, 0xff, 0xff};

class NvmlTest : public ::testing::Test {
 protected:
  ~NvmlTest() override { unsetenv("CULPRIT_FAKE_NVML"); }

  std::unique_ptr<Nvml> Load(const char* mode) {
    setenv("CULPRIT_FAKE_NVML", mode, 1);
    return Nvml::Load(STRESS_FAKE_NVML, &why_);
  }
  int64_t OwnMemory(const char* mode) {
    const auto nvml = Load(mode);
    if (!nvml || !nvml->SelectDevice(kKnown, &why_)) return -1;
    return nvml->ProcessMemory(static_cast<unsigned>(getpid()));
  }

  std::string why_;
};

TEST_F(NvmlTest, FindsThisProcessAmongOthers) {
  EXPECT_EQ(OwnMemory("bytes=123456789"), 123456789);
}

TEST_F(NvmlTest, AWithheldFigureIsUnavailable) { EXPECT_EQ(OwnMemory("withheld"), kUnavailable); }

TEST_F(NvmlTest, AProcessThatIsNotListedIsUnavailable) {
  EXPECT_EQ(OwnMemory("other-process"), kUnavailable);
}

TEST_F(NvmlTest, AListThatDoesNotFitIsUnavailable) {
  EXPECT_EQ(OwnMemory("too-many"), kUnavailable);
}

TEST_F(NvmlTest, ARefusalIsUnavailable) { EXPECT_EQ(OwnMemory("refused"), kUnavailable); }

TEST_F(NvmlTest, WithoutADeviceNothingIsAvailable) {
  const auto nvml = Load("bytes=1");
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->ProcessMemory(1), kUnavailable);
}

TEST_F(NvmlTest, ADeviceNvmlDoesNotKnowIsNamedByItsUuid) {
  const auto nvml = Load("bytes=1");
  ASSERT_NE(nvml, nullptr);
  EXPECT_FALSE(nvml->SelectDevice(kStranger, &why_));
  EXPECT_THAT(why_, HasSubstr("GPU-ffffffff-0000-0000-0000-000000000000"));
}

TEST_F(NvmlTest, ALibraryThatDoesNotStartSaysWhy) {
  EXPECT_EQ(Load("no-start"), nullptr);
  EXPECT_THAT(why_, HasSubstr("nvmlInit_v2 returned 9"));
}

TEST_F(NvmlTest, AnAbsentLibraryIsNamed) {
  EXPECT_EQ(Nvml::Load("libno_such_nvml.so.1", &why_), nullptr);
  EXPECT_THAT(why_, HasSubstr("libno_such_nvml.so.1"));
}

TEST_F(NvmlTest, AnotherLibraryIsTurnedDown) {
  EXPECT_EQ(Nvml::Load("libc.so.6", &why_), nullptr);
  EXPECT_THAT(why_, HasSubstr("lacks a function"));
}

TEST_F(NvmlTest, SaysTheVersionOfTheDriver) {
  const auto nvml = Load("bytes=1");
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->DriverVersion(), "999.10.01");
}

}  // namespace
}  // namespace culprit::stress
