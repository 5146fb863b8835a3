// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "inventory/scan/glob.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {
namespace {

using testing::ElementsAre;

// The file must outlive its tokens, so the texts are copied out.
std::vector<std::string> Tokens(const std::string& text, const KnownMacros& known = {}) {
  const SourceFile file("a.c", text, Language::kC);
  std::vector<std::string> texts;
  for (const Token& token : Lex(file, known).tokens) texts.emplace_back(token.text);
  return texts;
}

std::vector<std::string> Functions(const std::string& text, Language language = Language::kCpp) {
  const SourceFile file("a.cc", text, language);
  std::vector<std::string> names;
  for (const FunctionSpan& function : OutlineOf(Lex(file, {})).functions)
    names.push_back(function.name);
  return names;
}

TEST(LexerTest, CommentsAreNoTokens) {
  EXPECT_THAT(Tokens("a /* b */ c // d \\\n e\nf"), ElementsAre("a", "c", "f"));
}

TEST(LexerTest, AByteOrderMarkIsNoText) {
  const SourceFile file("a.c", "\xEF\xBB\xBF#define A cuInit\n", Language::kC);
  EXPECT_EQ(Lex(file, {}).directives.size(), 1u);
  EXPECT_THAT(Tokens("\xEF\xBB\xBFint"), ElementsAre("int"));
}

TEST(LexerTest, SplicesJoinNames) {
  EXPECT_THAT(Tokens("cuModule\\\nUnload(m)"), ElementsAre("cuModuleUnload", "(", "m", ")"));
}

TEST(LexerTest, AdjacentStringsAreOne) {
  EXPECT_THAT(Tokens("\"cuMem\" /* x */ \"Free\""), ElementsAre("cuMemFree"));
}

TEST(LexerTest, RawStringsEndAtTheirDelimiter) {
  EXPECT_THAT(Tokens("R\"x(a)\" b)x\" c"), ElementsAre("a)\" b", "c"));
}

TEST(LexerTest, AnUnterminatedStringEndsWithItsLine) {
  EXPECT_THAT(Tokens("\"a\nb"), ElementsAre("a", "b"));
}

TEST(LexerTest, DeadBranchesHaveNoTokens) {
  EXPECT_THAT(Tokens("#if 0\na \"\n#else\nb\n#endif\nc"), ElementsAre("b", "c"));
  EXPECT_THAT(Tokens("#if 1\na\n#elif X\nb\n#else\nc\n#endif"), ElementsAre("a"));
}

TEST(LexerTest, UnknownBranchesAreAllRead) {
  EXPECT_THAT(Tokens("#ifdef X\na\n#else\nb\n#endif"), ElementsAre("a", "b"));
}

TEST(LexerTest, TheContractDecidesBranches) {
  KnownMacros known;
  known.undefined.insert("OLD");
  EXPECT_THAT(Tokens("#if defined(OLD) && NEW\na\n#else\nb\n#endif", known), ElementsAre("b"));
}

TEST(LexerTest, NumbersWithSeparatorsAndExponentsAreOneToken) {
  EXPECT_THAT(Tokens("1'000 1e-5 0x1e+2"), ElementsAre("1'000", "1e-5", "0x1e", "+", "2"));
}

TEST(OutlineTest, FindsFunctionsInScopes) {
  EXPECT_THAT(Functions("namespace n { class A : public B { int f() const { return 1; } ~A() {} }; "
                        "}\nint A::g() {}\n"),
              ElementsAre("A::f", "A::~A", "A::g"));
}

TEST(OutlineTest, ConstructorsWithInitialisersAreFunctions) {
  EXPECT_THAT(Functions("A::A(int x) : a_(x), b_{x}, c_(f(x)) { g(); }\nint h() {}"),
              ElementsAre("A::A", "h"));
}

TEST(OutlineTest, InitialisersAndPrototypesAreNone) {
  EXPECT_THAT(
      Functions("int f(int);\nint a[] = { g(1), 2 };\nstruct S s = { .x = h(1) };\nint k() {}"),
      ElementsAre("k"));
}

TEST(OutlineTest, BracesOpenedTwiceInBranchesCloseOnce) {
  EXPECT_THAT(
      Functions(
          "int f() {\n#ifdef A\n if (x) {\n#else\n if (y) {\n#endif\n g(); }\n}\nint h() {}\n"),
      ElementsAre("f", "h"));
}

TEST(GlobTest, StarsStayWithinAComponent) {
  EXPECT_TRUE(GlobMatches("src/*.c", "src/a.c"));
  EXPECT_FALSE(GlobMatches("src/*.c", "src/b/a.c"));
  EXPECT_TRUE(GlobMatches("src/**/*.c", "src/a.c"));
  EXPECT_TRUE(GlobMatches("src/**/*.c", "src/x/y/a.c"));
  EXPECT_TRUE(GlobMatches("*.c", "src/x/a.c"));
  EXPECT_TRUE(GlobMatches("src/**", "src/x/a.c"));
  EXPECT_FALSE(GlobMatches("src/**", "lib/src.c"));
}

}  // namespace
}  // namespace culprit::inventory
