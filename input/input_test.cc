// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "input/day.h"
#include "input/json_object.h"
#include "input/number.h"
#include "input/scratch_folder.h"
#include "input/text_file.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Read>
std::string RefusalOf(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TextFileTest, ReadsEverythingAndRefusesWhatIsNoFile) {
  const ScratchFolder folder;
  const std::string path = folder / "text";
  const std::string text = std::string("a\0b\n", 4) + std::string(200000, 'x');
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(ReadTextFile(path), text);
  EXPECT_THAT(RefusalOf([&] { ReadTextFile(path, 1000); }),
              HasSubstr(path + ": has more than 1000 bytes"));
  EXPECT_THAT(RefusalOf([] { ReadTextFile("/dev/zero", 1 << 20); }), HasSubstr("has more than"));
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(ReadTextFile(path), "");
  std::filesystem::remove(path);
  EXPECT_THAT(RefusalOf([&] { ReadTextFile(path); }), HasSubstr(path + ": cannot be read"));
  EXPECT_THAT(RefusalOf([&] { ReadTextFile(folder.path()); }), HasSubstr("cannot be read"));
}

TEST(TextFileTest, SaysBeforehandThatAFileCannotBeWritten) {
  const ScratchFolder folder;
  const std::string path = folder / "writable";
  std::ofstream(path) << "kept";
  DemandWritable(path);
  EXPECT_EQ(ReadTextFile(path), "kept");
  std::filesystem::remove(path);
  EXPECT_THAT(RefusalOf([&] { DemandWritable(folder.path()); }), HasSubstr("cannot be written"));
  EXPECT_THAT(RefusalOf([] { DemandWritable("/no/such/folder/file"); }),
              HasSubstr("/no/such/folder/file: cannot be written: No such file"));
}

TEST(NumberTest, TheWholeTextIsTheNumberAndFits) {
  EXPECT_EQ(WholeNumberIn("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(WholeNumberIn(text)) << text;
  }
  EXPECT_EQ(NumberIn("0.5"), 0.5);
  EXPECT_EQ(NumberIn("1e3"), 1000.0);
  for (const char* text : {"", "nan", "inf", "1e999", "0.5s", " 1"}) {
    EXPECT_FALSE(NumberIn(text)) << text;
  }
}

TEST(DayTest, OnlyDaysThatExist) {
  for (const char* day : {"2026-12-31", "2028-02-29", "2000-02-29"}) EXPECT_TRUE(IsDay(day)) << day;
  for (const char* text : {"", "2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00",
                           "2026-1-01", "26-01-01", "2026/01/01", "2026-01-01 ", "2026--1-01"}) {
    EXPECT_FALSE(IsDay(text)) << text;
  }
}

JsonObject Object(const std::string& text) {
  return {ParseJson(text, "f.json"), "f.json", "the thing"};
}

TEST(JsonObjectTest, TakesWhatHasTheRightType) {
  const JsonObject object = Object(
      R"({"t": "x", "e": "", "n": 7, "f": true, "l": ["a", "b"], "o": {"n": 1}, "s": [{}]})");
  EXPECT_EQ(object.Text("t"), "x");
  EXPECT_EQ(object.Text("e"), "");
  EXPECT_EQ(object.Number("n"), 7U);
  EXPECT_TRUE(object.Flag("f"));
  EXPECT_THAT(object.Texts("l"), ElementsAre("a", "b"));
  EXPECT_EQ(object.Object("o").Number("n"), 1U);
  EXPECT_EQ(object.Objects("s", "part").size(), 1U);
}

TEST(JsonObjectTest, NamesPlaceKeyAndTypeOfWhatHasNot) {
  const JsonObject object =
      Object(R"({"t": 1, "e": "", "n": -1, "f": 1e18, "l": ["a", 1], "o": {"n": "1"}, "s": [1]})");
  EXPECT_EQ(RefusalOf([&] { object.Text("t"); }), "f.json: the thing needs 't', a string");
  EXPECT_EQ(RefusalOf([&] { object.Text("absent"); }),
            "f.json: the thing needs 'absent', a string");
  EXPECT_EQ(RefusalOf([&] { object.NotEmpty("e"); }),
            "f.json: the thing needs 'e', a string that is not empty");
  EXPECT_EQ(RefusalOf([&] { object.Number("n", 1, 9); }),
            "f.json: the thing needs 'n', a number from 1 to 9");
  EXPECT_EQ(RefusalOf([&] { object.Number("f"); }), "f.json: the thing needs 'f', a number from 0");
  EXPECT_EQ(RefusalOf([&] { object.Flag("t"); }), "f.json: the thing needs 't', true or false");
  EXPECT_EQ(RefusalOf([&] { object.Texts("l"); }),
            "f.json: the thing needs 'l', a list of strings");
  EXPECT_EQ(RefusalOf([&] { object.Object("o").Number("n"); }),
            "f.json: o needs 'n', a number from 0");
  EXPECT_EQ(RefusalOf([&] { object.Objects("s", "part"); }), "f.json: part 1 must be an object");
  EXPECT_EQ(RefusalOf([] { Object("[]"); }), "f.json: the thing must be an object");
}

TEST(ParseJsonTest, NamesTheLineOfWhatIsNoJson) {
  EXPECT_EQ(RefusalOf([] { ParseJson("{\n\"a\": 1,\n}", "f.json"); }), "f.json:3: not JSON");
  EXPECT_EQ(RefusalOf([] { ParseJson("{\"a\": 1e999}", "f.json"); }),
            "f.json: holds a number that is too large");
  EXPECT_EQ(RefusalOf([] { ParseJson("", "f.json"); }), "f.json: is empty");
  EXPECT_EQ(RefusalOf([] { ParseJson(std::string(100000, '['), "f.json"); }),
            "f.json: is nested too deeply");
}

}  // namespace
}  // namespace culprit
