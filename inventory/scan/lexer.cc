// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/lexer.h"

#include <algorithm>
#include <array>

namespace culprit::inventory {
namespace {

enum : uint8_t { kNameStart = 1, kDigit = 2, kBlank = 4 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80)
      classes[c] |= kNameStart;
    if (c >= '0' && c <= '9') classes[c] |= kDigit;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') classes[c] |= kBlank;
  }
  return classes;
}();

uint8_t ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }

constexpr std::string_view kLongPunctuators[] = {
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "->", "::", "++", "--", "<<", ">>", "<=", ">=",
    "==",  "!=",  "&&",  "||",  "|=",  "&=",  "^=", "+=", "-=", "*=", "/=", "%=", "##"};

// Whether what follows #pragma names symbols, as in #pragma weak close = close_quietly.
bool NamesSymbols(std::string_view pragma) {
  pragma.remove_prefix(std::min(pragma.find_first_not_of(" \t"), pragma.size()));
  return pragma.starts_with("weak ") || pragma.starts_with("redefine_extname ");
}

class Lexer {
 public:
  Lexer(const SourceFile& file, const KnownMacros& known)
      : text_(file.text()), known_(known), conditionals_(known_) {
    // The language decides this one, except in a header, which either may include.
    if (!file.path().ends_with(".h"))
      (file.language() == Language::kC ? known_.undefined : known_.defined).insert("__cplusplus");
  }

  Lexed Run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) Step();
    if (in_dead_) lexed_.dead.back().end = Size();
    EndDirective();
    return std::move(lexed_);
  }

 private:
  uint32_t Size() const { return static_cast<uint32_t>(text_.size()); }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Length of the splice at offset `at`, 0 when there is none.
  size_t SpliceAt(size_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return 0;
    if (text_.substr(at + 1, 1) == "\n") return 2;
    return text_.substr(at + 1, 2) == "\r\n" ? 3 : 0;
  }

  void Step() {
    const char c = text_[at_];
    if (c == '\n') {
      EndDirective();
      line_is_blank_ = true;
      ++at_;
    } else if (ClassOf(c) & kBlank) {
      ++at_;
    } else if (const size_t splice = SpliceAt(at_)) {
      at_ += splice;
    } else if (c == '/' && (Peek(1) == '/' || Peek(1) == '*')) {
      SkipComment();
    } else if (c == '#' && line_is_blank_) {
      BeginDirective();
    } else if (in_dead_) {
      SkipDead();
    } else {
      ReadToken();
    }
  }

  void SkipComment() {
    const size_t begin = at_;
    const bool block = Peek(1) == '*';
    if (block) {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      while (at_ < text_.size() && text_[at_] != '\n') at_ += std::max<size_t>(SpliceAt(at_), 1);
      at_ = std::min(at_, text_.size());
    }
    if (!in_dead_)
      lexed_.comments.push_back(
          {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), line_is_blank_});
  }

  // In a dead branch only comments and line starts matter; quotes may be unbalanced there.
  void SkipDead() {
    line_is_blank_ = false;
    while (at_ < text_.size() && text_[at_] != '\n' && text_.substr(at_, 2) != "/*" &&
           text_.substr(at_, 2) != "//")
      ++at_;
  }

  void BeginDirective() {
    const size_t hash = at_++;
    while (ClassOf(Peek()) & kBlank) ++at_;
    const size_t begin = at_;
    while (ClassOf(Peek()) & kNameStart) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    line_is_blank_ = false;
    if (name.starts_with("if") || name.starts_with("el") || name == "endif") {
      const std::string rest = LogicalRest();
      TrackAlternate(name, static_cast<uint32_t>(hash));
      conditionals_.Directive(name, rest);
      SetDead(conditionals_.dead(), hash);
      return;
    }
    if (in_dead_) return;
    in_directive_ = true;
    const auto first = static_cast<uint32_t>(lexed_.tokens.size());
    lexed_.directives.push_back({name, first, first});
    const bool is_prose = name == "include" || name == "error" || name == "warning";
    if (is_prose || (name == "pragma" && !NamesSymbols(text_.substr(at_)))) LogicalRest();
  }

  void TrackAlternate(std::string_view name, uint32_t hash) {
    lexed_.conditions.push_back({hash, name.starts_with("if") ? ConditionEdge::kBegins
                                       : name == "endif"      ? ConditionEdge::kEnds
                                                              : ConditionEdge::kAlternates});
    if (name.starts_with("if")) {
      open_alternates_.push_back(-1);
    } else if (!open_alternates_.empty()) {
      if (open_alternates_.back() >= 0) lexed_.alternates[open_alternates_.back()].end = hash;
      if (name == "endif") {
        open_alternates_.pop_back();
      } else {
        open_alternates_.back() = static_cast<int>(lexed_.alternates.size());
        lexed_.alternates.push_back({hash, Size()});
      }
    }
  }

  // Skips to the end of the logical line and returns what stood there.
  std::string LogicalRest() {
    std::string rest;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (const size_t splice = SpliceAt(at_)) {
        at_ += splice;
      } else if (text_.substr(at_, 2) == "/*") {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else if (text_.substr(at_, 2) == "//") {
        SkipComment();
      } else {
        rest += text_[at_++];
      }
    }
    return rest;
  }

  void SetDead(bool dead, size_t directive) {
    if (dead && !in_dead_) lexed_.dead.push_back({static_cast<uint32_t>(at_), Size()});
    if (!dead && in_dead_) lexed_.dead.back().end = static_cast<uint32_t>(directive);
    in_dead_ = dead;
  }

  void EndDirective() {
    if (in_directive_)
      lexed_.directives.back().last_token = static_cast<uint32_t>(lexed_.tokens.size());
    in_directive_ = false;
  }

  void ReadToken() {
    line_is_blank_ = false;
    const char c = text_[at_];
    if (ClassOf(c) & kNameStart) {
      ReadName();
    } else if ((ClassOf(c) & kDigit) || (c == '.' && (ClassOf(Peek(1)) & kDigit))) {
      ReadNumber();
    } else if (c == '"') {
      ReadString(at_);
    } else if (c == '\'') {
      ReadCharacter();
    } else {
      ReadPunctuator();
    }
  }

  void Push(TokenKind kind, size_t begin, std::string_view text) {
    lexed_.tokens.push_back(
        {kind, in_directive_, static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), text});
  }

  void ReadName() {
    const size_t begin = at_;
    bool spliced = false;
    while (at_ < text_.size()) {
      if (ClassOf(text_[at_]) & (kNameStart | kDigit)) {
        ++at_;
      } else if (const size_t splice = SpliceAt(at_);
                 splice && at_ + splice < text_.size() &&
                 (ClassOf(text_[at_ + splice]) & (kNameStart | kDigit))) {
        at_ += splice;
        spliced = true;
      } else {
        break;
      }
    }
    std::string_view name = text_.substr(begin, at_ - begin);
    if (spliced) name = WithoutSplices(name);
    if (Peek() == '"') {
      if (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R")
        return ReadRawString(begin);
      if (name == "L" || name == "u" || name == "U" || name == "u8") return ReadString(begin);
    }
    Push(TokenKind::kIdentifier, begin, name);
  }

  std::string_view WithoutSplices(std::string_view spelled) {
    std::string joined;
    for (size_t i = 0; i < spelled.size(); ++i) {
      if (spelled[i] == '\\' || spelled[i] == '\r' || spelled[i] == '\n') continue;
      joined += spelled[i];
    }
    return lexed_.spellings.emplace_back(std::move(joined));
  }

  void ReadNumber() {
    const size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool exponent_sign =
          (c == '+' || c == '-') && at_ > begin &&
          std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos &&
          text_.substr(begin, 2) != "0x" && text_.substr(begin, 2) != "0X";
      const bool separator = c == '\'' && (ClassOf(Peek(1)) & (kDigit | kNameStart));
      if (!(ClassOf(c) & (kDigit | kNameStart)) && c != '.' && !exponent_sign && !separator) break;
      ++at_;
    }
    Push(TokenKind::kNumber, begin, text_.substr(begin, at_ - begin));
  }

  // An unterminated string ends with its line, as a compiler would have it.
  void ReadString(size_t begin) {
    const size_t content = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? std::max<size_t>(SpliceAt(at_), 2) : 1;
    }
    at_ = std::min(at_, text_.size());
    std::string_view value = text_.substr(content, at_ - content);
    if (value.find("\\\n") != std::string_view::npos) value = WithoutSplices(value);
    if (Peek() == '"') ++at_;
    PushString(begin, value);
  }

  void ReadRawString(size_t begin) {
    const size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 17) return ReadString(begin);
    const std::string closing = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t close = text_.find(closing, open);
    const size_t end = std::min(close, text_.size());
    at_ = close == std::string_view::npos ? text_.size() : close + closing.size();
    PushString(begin, text_.substr(open + 1, end - open - 1));
  }

  // Adjacent strings are one string to the compiler, hence to us: "cuModule" "Unload".
  void PushString(size_t begin, std::string_view value) {
    if (!lexed_.tokens.empty() && lexed_.tokens.back().kind == TokenKind::kString &&
        lexed_.tokens.back().in_directive == in_directive_) {
      Token& previous = lexed_.tokens.back();
      previous.text =
          lexed_.spellings.emplace_back(std::string(previous.text) + std::string(value));
      previous.end = static_cast<uint32_t>(at_);
      return;
    }
    Push(TokenKind::kString, begin, value);
  }

  void ReadCharacter() {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    if (Peek() == '\'') ++at_;
    Push(TokenKind::kCharacter, begin, text_.substr(begin, at_ - begin));
  }

  void ReadPunctuator() {
    const size_t begin = at_;
    const bool may_be_longer =
        std::string_view("<>=.-*:+&|#").find(Peek(1)) != std::string_view::npos;
    for (const std::string_view longer : kLongPunctuators) {
      if (!may_be_longer) break;
      if (text_.substr(at_, longer.size()) == longer) {
        at_ += longer.size();
        return Push(TokenKind::kPunctuator, begin, longer);
      }
    }
    ++at_;
    Push(TokenKind::kPunctuator, begin, text_.substr(begin, 1));
  }

  std::string_view text_;
  KnownMacros known_;
  ConditionalStack conditionals_;
  Lexed lexed_;
  std::vector<int> open_alternates_;  // per open #if: index of the alternate we are in, or -1
  size_t at_ = 0;
  bool line_is_blank_ = true;
  bool in_directive_ = false;
  bool in_dead_ = false;
};

}  // namespace

Lexed Lex(const SourceFile& file, const KnownMacros& known) { return Lexer(file, known).Run(); }

}  // namespace culprit::inventory
