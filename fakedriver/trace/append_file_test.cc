// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/append_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "input/scratch_folder.h"

namespace culprit::fakedriver::trace {
namespace {

using ::testing::HasSubstr;

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AppendFileTest : public ::testing::Test {
 protected:
  const ScratchFolder folder_;
  const std::string path_ = folder_ / "appended";
};

TEST_F(AppendFileTest, HoldsWhatWasAppendedAcrossWindows) {
  std::string expected;
  AppendFile file;
  ASSERT_EQ(file.Open(path_), "");
  for (int i = 0; expected.size() < 3'500'000; ++i) {
    const std::string line = "line " + std::to_string(i) + std::string(i % 300, '.') + "\n";
    file.Append(line);
    expected += line;
  }
  file.Close();
  EXPECT_EQ(Read(path_), expected);
}

TEST_F(AppendFileTest, KeepsEveryLineOfAProcessThatWasKilled) {
  const pid_t child = fork();
  if (child == 0) {
    AppendFile file;
    file.Open(path_);
    file.Append("first\n");
    file.Append("last\n");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::string text = Read(path_);
  EXPECT_EQ(text.substr(0, text.find('\0')), "first\nlast\n");
}

TEST_F(AppendFileTest, WritesToWhatCannotBeMapped) {
  AppendFile file;
  ASSERT_EQ(file.Open("/dev/null"), "");
  file.Append("gone\n");
  EXPECT_TRUE(file.is_open());
}

TEST_F(AppendFileTest, SaysWhatWasLost) {
  AppendFile file;
  ASSERT_EQ(file.Open("/dev/full"), "");
  EXPECT_EQ(file.lost(), "");
  file.Append("gone\n");
  EXPECT_THAT(file.lost(), HasSubstr("/dev/full: No space left on device"));
  ASSERT_EQ(file.Open(path_), "");
  EXPECT_EQ(file.lost(), "");
}

TEST_F(AppendFileTest, SaysWhyItCannotBeOpened) {
  AppendFile file;
  EXPECT_THAT(file.Open("/no/such/folder/file"), HasSubstr("No such file or directory"));
  EXPECT_FALSE(file.is_open());
}

}  // namespace
}  // namespace culprit::fakedriver::trace
