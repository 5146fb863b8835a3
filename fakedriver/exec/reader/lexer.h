// SPDX-License-Identifier: Apache-2.0
//
// Words of PTX. The lexer hands out views into the text and looks one token ahead; comments and
// @@DWARF lines of old compilers vanish here.
#ifndef FAKEDRIVER_EXEC_READER_LEXER_H_
#define FAKEDRIVER_EXEC_READER_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace culprit::exec {

enum class TokenKind : uint8_t {
  kEnd,
  kName,        // add, %r1, $L__BB0_2, _Z3foo
  kDot,         // .version, .s32: text includes the dot
  kInteger,     // value
  kSingle,      // value: bits of an f32
  kDouble,      // value: bits of an f64
  kString,      // text without quotes
  kPunctuation  // one character
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  char punctuation = 0;
  uint32_t line = 1;
  std::string_view text;
  uint64_t value = 0;

  bool Is(char c) const { return kind == TokenKind::kPunctuation && punctuation == c; }
  bool Is(std::string_view word) const {
    return (kind == TokenKind::kName || kind == TokenKind::kDot) && text == word;
  }
};

// Thrown inside the reader only; Program::Load turns it into a LoadError.
struct ParseError {
  uint32_t line;
  std::string message;
  uint8_t kind = 1;  // LoadErrorKind, kInvalidPtx unless said otherwise
};

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& Peek() const { return next_; }
  Token Take();
  // The dot-word directly at the next token's place, for suffixes such as "%tid.x" and "ld.global".
  bool NextIsSuffix() const {
    return next_.kind == TokenKind::kDot && next_.text.data() == last_end_;
  }

  bool Accept(char c);
  bool Accept(std::string_view word);
  void Expect(char c);
  std::string_view ExpectName();
  uint64_t ExpectInteger();
  void SkipBraces();      // a balanced { ... }, the next token being the brace
  void SkipRestOfLine();  // what is left of the line of the last token taken

  [[noreturn]] void Fail(std::string message) const;
  [[noreturn]] void FailNear() const;  // a syntax error at the next token

 private:
  void Advance();
  void SkipSpace();
  void ReadNumber();

  const char* position_;
  const char* end_;
  const char* last_end_ = nullptr;
  uint32_t line_ = 1;
  uint32_t last_line_ = 1;
  Token next_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_LEXER_H_
