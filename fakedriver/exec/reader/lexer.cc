// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/reader/lexer.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

namespace culprit::exec {
namespace {

enum CharClass : uint8_t { kOther = 0, kNameStart = 1, kDigit = 2, kNamePart = 4, kSpace = 8 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 128;
    bool digit = c >= '0' && c <= '9';
    if (letter || c == '_' || c == '$' || c == '%') classes[c] |= kNameStart | kNamePart;
    if (digit) classes[c] |= kDigit | kNamePart;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v')
      classes[c] |= kSpace;
  }
  return classes;
}();

bool Is(char c, uint8_t wanted) { return (kClasses[static_cast<uint8_t>(c)] & wanted) != 0; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Lexer::Lexer(std::string_view text) : position_(text.data()), end_(text.data() + text.size()) {
  Advance();
}

Token Lexer::Take() {
  Token taken = next_;
  last_line_ = line_;
  last_end_ = position_;
  Advance();
  return taken;
}

bool Lexer::Accept(char c) {
  if (!next_.Is(c)) return false;
  Take();
  return true;
}

bool Lexer::Accept(std::string_view word) {
  if (!next_.Is(word)) return false;
  Take();
  return true;
}

void Lexer::Expect(char c) {
  if (!Accept(c)) FailNear();
}

std::string_view Lexer::ExpectName() {
  if (next_.kind != TokenKind::kName) FailNear();
  return Take().text;
}

uint64_t Lexer::ExpectInteger() {
  if (next_.kind != TokenKind::kInteger) FailNear();
  return Take().value;
}

void Lexer::SkipBraces() {
  Expect('{');
  for (int depth = 1; depth > 0;) {
    Token token = Take();
    if (token.kind == TokenKind::kEnd) Fail("Unexpected end of file inside braces");
    if (token.Is('{')) ++depth;
    if (token.Is('}')) --depth;
  }
}

void Lexer::SkipRestOfLine() {
  uint32_t line = last_line_;
  while (next_.kind != TokenKind::kEnd && next_.line == line) Take();
}

void Lexer::Fail(std::string message) const { throw ParseError{next_.line, std::move(message)}; }

void Lexer::FailNear() const {
  if (next_.kind == TokenKind::kEnd) Fail("Parsing error near end of file: syntax error");
  Fail("Parsing error near '" + std::string(next_.text.substr(0, 80)) + "': syntax error");
}

void Lexer::SkipSpace() {
  while (position_ < end_) {
    char c = *position_;
    if (c == '\n') ++line_;
    if (Is(c, kSpace)) {
      ++position_;
    } else if (c == '/' && position_ + 1 < end_ && position_[1] == '/') {
      while (position_ < end_ && *position_ != '\n') ++position_;
    } else if (c == '/' && position_ + 1 < end_ && position_[1] == '*') {
      position_ += 2;
      while (position_ < end_ &&
             !(*position_ == '*' && position_ + 1 < end_ && position_[1] == '/')) {
        if (*position_ == '\n') ++line_;
        ++position_;
      }
      position_ = position_ + 2 < end_ ? position_ + 2 : end_;
    } else if (c == '@' && position_ + 1 < end_ && position_[1] == '@') {
      while (position_ < end_ && *position_ != '\n') ++position_;
    } else {
      return;
    }
  }
}

void Lexer::Advance() {
  SkipSpace();
  next_ = Token{};
  next_.line = line_;
  if (position_ >= end_) {
    next_.text = {};
    return;
  }
  const char* start = position_;
  char c = *position_;
  if (Is(c, kNameStart)) {
    next_.kind = TokenKind::kName;
    while (position_ < end_ && Is(*position_, kNamePart)) ++position_;
  } else if (Is(c, kDigit)) {
    ReadNumber();
  } else if (c == '.' && position_ + 1 < end_ && Is(position_[1], kNamePart)) {
    next_.kind = TokenKind::kDot;
    ++position_;
    while (position_ < end_ &&
           (Is(*position_, kNamePart) || (*position_ == ':' && position_ + 2 < end_ &&
                                          position_[1] == ':' && Is(position_[2], kNamePart)))) {
      position_ += *position_ == ':' ? 2 : 1;
    }
  } else if (c == '"') {
    next_.kind = TokenKind::kString;
    ++position_;
    while (position_ < end_ && *position_ != '"' && *position_ != '\n') ++position_;
    if (position_ >= end_ || *position_ != '"') Fail("Unterminated string");
    next_.text = std::string_view(start + 1, static_cast<size_t>(position_ - start - 1));
    ++position_;
    return;
  } else {
    next_.kind = TokenKind::kPunctuation;
    next_.punctuation = c;
    ++position_;
  }
  next_.text = std::string_view(start, static_cast<size_t>(position_ - start));
}

// 12, 12U, 0x1f, 017, 0b101, 0f3F800000, 0d3FF0000000000000, 1.5, 1e-3
void Lexer::ReadNumber() {
  const char* start = position_;
  auto hex = [&](int most_digits) {
    uint64_t value = 0;
    int digits = 0;
    for (; position_ < end_ && HexDigit(*position_) >= 0; ++position_, ++digits) {
      value = value << 4 | static_cast<uint64_t>(HexDigit(*position_));
    }
    if (digits == 0 || digits > most_digits) Fail("Malformed number");
    return value;
  };
  next_.kind = TokenKind::kInteger;
  if (*start == '0' && start + 1 < end_) {
    char second = start[1];
    if (second == 'x' || second == 'X') {
      position_ += 2;
      next_.value = hex(16);
    } else if (second == 'f' || second == 'F') {
      position_ += 2;
      next_.kind = TokenKind::kSingle;
      next_.value = hex(8);
      if (position_ - start != 10) Fail("Malformed number");
    } else if (second == 'd' || second == 'D') {
      position_ += 2;
      next_.kind = TokenKind::kDouble;
      next_.value = hex(16);
      if (position_ - start != 18) Fail("Malformed number");
    }
    if (position_ != start) {
      if (next_.kind == TokenKind::kInteger && position_ < end_ && *position_ == 'U') ++position_;
      return;
    }
  }
  bool real = false;
  while (position_ < end_ && Is(*position_, kDigit)) ++position_;
  bool binary = *start == '0' && position_ == start + 1 && position_ < end_ &&
                (*position_ == 'b' || *position_ == 'B');
  if (position_ + 1 < end_ && *position_ == '.' && Is(position_[1], kDigit)) {
    real = true;
    ++position_;
    while (position_ < end_ && Is(*position_, kDigit)) ++position_;
  }
  if (!binary && position_ < end_ && (*position_ == 'e' || *position_ == 'E')) {
    const char* exponent = position_ + 1;
    if (exponent < end_ && (*exponent == '+' || *exponent == '-')) ++exponent;
    if (exponent < end_ && Is(*exponent, kDigit)) {
      real = true;
      position_ = exponent;
      while (position_ < end_ && Is(*position_, kDigit)) ++position_;
    }
  }
  if (real) {
    next_.kind = TokenKind::kDouble;
    next_.value =
        std::bit_cast<uint64_t>(std::strtod(std::string(start, position_).c_str(), nullptr));
    return;
  }
  int base = 10;
  const char* digits = start;
  const char* digits_end = position_;
  if (binary) {
    base = 2;
    digits = position_ + 1;
    while (digits_end + 1 < end_ && Is(digits_end[1], kDigit)) ++digits_end;
    ++digits_end;
    position_ = digits_end;
  } else if (*start == '0' && position_ - start > 1) {
    base = 8;
  }
  auto [rest, error] = std::from_chars(digits, digits_end, next_.value, base);
  if (error != std::errc{} || rest != digits_end) Fail("Malformed number");
  if (position_ < end_ && *position_ == 'U') ++position_;
}

}  // namespace culprit::exec
