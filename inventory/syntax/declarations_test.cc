// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/declarations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace culprit::inventory {
namespace {

using testing::ElementsAre;

// The texts that are cut out around each "@", which stands for nothing else.
std::vector<std::string> Around(const std::string& text, Language language = Language::kCpp) {
  std::vector<Range> places;
  for (size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1))
    places.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + 1)});
  const SourceFile file("a.cc", text, language);
  const auto declarations = DeclarationsAround(Lex(file, {}), {}, places);
  if (!declarations) return {"everything"};
  std::vector<std::string> texts;
  for (const Range& range : *declarations)
    texts.push_back(text.substr(range.begin, range.end - range.begin));
  return texts;
}

TEST(DeclarationsTest, AFunctionIsCutOutWithItsReturnType) {
  EXPECT_THAT(Around("struct s { int a; };\nstatic int *f(int a)\n{ @ }\nint g() {}\n"),
              ElementsAre("static int *f(int a)\n{ @ }"));
}

TEST(DeclarationsTest, OneDeclarationIsCutOutOnceAndNeighboursTogether) {
  EXPECT_THAT(Around("int f() { @ { @ } }\nint a;\nint g() { @ }"),
              ElementsAre("int f() { @ { @ } }", "int g() { @ }"));
  EXPECT_THAT(Around("int a;\nint f() { @ }\n// g\nint g() { @ }"),
              ElementsAre("int f() { @ }\n// g\nint g() { @ }"));
  EXPECT_THAT(Around("int f() { @ }\n#if A\nint g() { @ }\n#endif\n"),
              ElementsAre("int f() { @ }", "int g() { @ }"));
}

TEST(DeclarationsTest, ManyPartsAreTheWhole) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "int a;\nint f() { @ }\n";
  EXPECT_THAT(Around(text), ElementsAre("everything"));
}

TEST(DeclarationsTest, ATableEndsAtItsSemicolon) {
  EXPECT_THAT(Around("int a;\nstruct table t = { .f = { @ } };\nint b;"),
              ElementsAre("struct table t = { .f = { @ } };"));
}

TEST(DeclarationsTest, NamespacesAndLinkageAreSeenThrough) {
  for (const std::string opening :
       {"namespace a::b {", "namespace {", "inline namespace v1 {", "extern \"C\" {"}) {
    EXPECT_THAT(Around(opening + " int g(); int f() { @ } }"), ElementsAre("int f() { @ }"))
        << opening;
  }
}

TEST(DeclarationsTest, AMethodComesWithItsClass) {
  EXPECT_THAT(Around("class A : B { A() : b_{1} {} int f() { @ } int b_; };\nint g() {}"),
              ElementsAre("class A : B { A() : b_{1} {} int f() { @ } int b_; };"));
}

TEST(DeclarationsTest, AConstructorKeepsItsInitialisersAndATryItsHandlers) {
  EXPECT_THAT(Around("int g() {}\nA::A() : a{1}, b{2} { @ }\nint h() {}"),
              ElementsAre("A::A() : a{1}, b{2} { @ }"));
  EXPECT_THAT(Around("int f() try { } catch (...) { @ }\nint h() {}"),
              ElementsAre("int f() try { } catch (...) { @ }"));
}

TEST(DeclarationsTest, ConditionsAroundAFunctionStayOutside) {
  EXPECT_THAT(Around("#if A\nint f()\n{\n#if B\n@\n#endif\n}\n#else\nint f();\n#endif\n"),
              ElementsAre("int f()\n{\n#if B\n@\n#endif\n}"));
}

TEST(DeclarationsTest, WhatCannotBeCutOutForCertainIsNot) {
  for (const std::string text : {
           "#if A\nint f(int a)\n#else\nint f()\n#endif\n{ @ }",  // two heads, one body
           "int f() { @",                                         // open braces
           "int f() { @ } }",                                     // too many
           "int f() { if (a { @ } }",
           "@",
       }) {
    EXPECT_THAT(Around(text), ElementsAre("everything")) << text;
  }
}

}  // namespace
}  // namespace culprit::inventory
