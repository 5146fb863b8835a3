// SPDX-License-Identifier: Apache-2.0
#include "input/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace culprit {
namespace {

using testing::HasSubstr;

// What a command line with this value for --value is refused with; empty: it is taken.
std::string Refusal(const CLI::Validator& rule, const std::string& value) {
  CLI::App app;
  std::string taken;
  app.add_option("--value", taken)->check(rule);
  try {
    app.parse(std::vector<std::string>{value, "--value"});  // CLI11 reads from the back
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

TEST(CommandLineTest, WholeNumbersAreLookedAtAsText) {
  EXPECT_EQ(Refusal(WholeNumber(), "18446744073709551615"), "");
  EXPECT_EQ(Refusal(WholeNumber(), "18446744073709551616"),
            "--value: '18446744073709551616' is no whole number from 0 to 18446744073709551615");
  EXPECT_EQ(Refusal(WholeNumber(1, 9), "0"), "--value: '0' is no whole number from 1 to 9");
  for (const char* text : {"", "-1", "1.5", "ten"}) EXPECT_NE(Refusal(WholeNumber(), text), "");
}

TEST(CommandLineTest, NumbersAreFiniteAndInTheirRange) {
  EXPECT_EQ(Refusal(NumberFrom(0.001, 86400), "0.5"), "");
  EXPECT_EQ(Refusal(NumberFrom(0.001, 86400), "0"),
            "--value: '0' is no number from 0.001 to 86400");
  for (const char* text : {"", "nan", "inf", "1e300", "-1", "5s"}) {
    EXPECT_NE(Refusal(NumberFrom(0.001, 86400), text), "") << text;
  }
}

TEST(CommandLineTest, AReaderSaysWhatIsWrong) {
  const auto demand_x = [](const std::string& text) {
    if (text != "x") throw InputError("'" + text + "' is no x");
  };
  EXPECT_EQ(Refusal(TakenBy(demand_x), "x"), "");
  EXPECT_EQ(Refusal(TakenBy(demand_x), "u"), "--value: 'u' is no x");
}

TEST(CommandLineTest, PathsAreNotEmptyAndFilesCanBeRead) {
  EXPECT_EQ(Refusal(NotEmpty(), "x"), "");
  EXPECT_EQ(Refusal(NotEmpty(), ""), "--value: must not be empty");
  EXPECT_EQ(Refusal(ReadableFile(), "/proc/self/status"), "");
  EXPECT_EQ(Refusal(ReadableFile(), ""), "--value: must not be empty");
  EXPECT_THAT(Refusal(ReadableFile(), "/proc"), HasSubstr("--value: /proc: cannot be read"));
  EXPECT_THAT(Refusal(ReadableFile(), "/no/such/file"), HasSubstr("cannot be read: No such file"));
}

}  // namespace
}  // namespace culprit
