// SPDX-License-Identifier: Apache-2.0
#include "input/yaml_document.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

int LineOfSecond(const std::string& text) {
  const auto mark = SecondDocument(text);
  return mark ? mark->line + 1 : 0;
}

TEST(YamlDocumentTest, OneDocumentMayHaveItsMarks) {
  EXPECT_EQ(LineOfSecond(""), 0);
  EXPECT_EQ(LineOfSecond("# a comment\n"), 0);
  EXPECT_EQ(LineOfSecond("a: 1\n"), 0);
  EXPECT_EQ(LineOfSecond("# a comment\n---\na: 1\n...\n"), 0);
  EXPECT_EQ(LineOfSecond("a: '---'\nb: |\n  ---\n"), 0);
  EXPECT_EQ(LineOfSecond("&all [*all]"), 0);
}

TEST(YamlDocumentTest, FindsWhatFollowsTheFirst) {
  EXPECT_EQ(LineOfSecond("a: 1\n---\nb: 1\n"), 2);
  EXPECT_EQ(LineOfSecond("a: 1\n---\n---\nb: 1\n"), 2);
  EXPECT_EQ(LineOfSecond("---\n---\nb: 1\n"), 2);
  EXPECT_EQ(LineOfSecond("{a: 1}\n{b: 1}\n"), 2);
  EXPECT_EQ(LineOfSecond("a: 1\n---\nb: [\n"), 2);
}

}  // namespace
}  // namespace culprit
