// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace culprit::inventory {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(SourceTextTest, RandomBytesAreNoSource) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    std::string bytes(400, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_THAT(WhyNoSource(bytes), HasSubstr("of its 400 bytes are no characters of a text"));
  }
}

TEST(SourceTextTest, ZerosAreNoSource) {
  EXPECT_THAT(WhyNoSource(std::string("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16)), HasSubstr("12 of"));
}

TEST(SourceTextTest, TextInAnyEncodingIsASource) {
  EXPECT_THAT(WhyNoSource(""), IsEmpty());
  EXPECT_THAT(WhyNoSource("int f() {\r\n\treturn 0;\f}\x1a"), IsEmpty());
  EXPECT_THAT(WhyNoSource("// \xe4\xf6\xfc in Latin-1, \xc3\xa4 in UTF-8\n"), IsEmpty());
}

TEST(SourceTextTest, AStrayByteMakesNoSourceAnythingElse) {
  std::string text = "int f() { return cuInit(0); /* a zero byte: ? */ }\n";
  text[text.find('?')] = '\0';
  EXPECT_THAT(WhyNoSource(text), IsEmpty());
}

}  // namespace
}  // namespace culprit::inventory
