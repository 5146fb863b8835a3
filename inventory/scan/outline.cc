// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/outline.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace culprit::inventory {
namespace {

// Words that may stand before a parenthesis in a declaration without naming the function.
bool IsDeclarationWord(std::string_view name) {
  for (const char* word : {"noexcept", "__attribute__", "alignas", "decltype", "throw", "requires",
                           "__declspec", "asm", "__asm__", "__launch_bounds__", "if", "while",
                           "for", "switch", "sizeof", "static_assert", "_Static_assert"}) {
    if (name == word) return true;
  }
  return false;
}

class OutlineReader {
 public:
  explicit OutlineReader(const Lexed& lexed) : tokens_(lexed.tokens) {
    for (const Range& range : lexed.alternates) {
      const bool nested = !alternates_.empty() && range.begin < alternates_.back().end;
      if (!nested) alternates_.push_back(range);
    }
  }

  Outline Run() {
    while (at_ < tokens_.size()) Step();
    return std::move(outline_);
  }

 private:
  struct Candidate {
    std::string name;
    uint32_t begin;
    bool returns_void;
  };

  void Step() {
    const Token& token = tokens_[at_];
    if (token.in_directive) {
      ++at_;
    } else if (token.IsName()) {
      NoteWord(token.text);
      ++at_;
    } else if (token.Is("(")) {
      if (!in_initialisers_ && !assigned_) NoteCandidate();
      at_ = PastMatching(at_);
    } else if (token.Is("[")) {
      at_ = PastMatching(at_);
    } else if (token.Is("{")) {
      OpenBrace();
    } else if (token.Is("}")) {
      if (!scopes_.empty()) scopes_.pop_back();
      ResetDeclaration();
      ++at_;
    } else if (token.Is(";")) {
      ResetDeclaration();
      ++at_;
    } else {
      if (token.Is("=")) assigned_ = !After("operator");
      if (token.Is(":") && candidate_) in_initialisers_ = true;
      if (token.Is(":") && !candidate_ && class_name_.empty()) ResetDeclaration();  // public:
      ++at_;
    }
  }

  bool After(std::string_view word) const { return at_ > 0 && tokens_[at_ - 1].text == word; }

  void NoteWord(std::string_view word) {
    if (word == "namespace" || word == "extern") transparent_ = true;
    if (word == "enum") is_enum_ = true;
    if (word == "static") is_static_ = true;
    const bool is_class = word == "class" || word == "struct" || word == "union";
    if (is_class && !candidate_) {
      class_follows_ = true;
    } else if (class_follows_ && word != "final" && word != "alignas") {
      class_name_ = std::string(word);
      const bool named =
          at_ + 1 < tokens_.size() && (tokens_[at_ + 1].IsName() || tokens_[at_ + 1].Is("("));
      class_follows_ = named;  // an attribute macro before the name
    }
  }

  void NoteCandidate() {
    if (at_ == 0 || !tokens_[at_ - 1].IsName() || IsDeclarationWord(tokens_[at_ - 1].text)) return;
    size_t first = at_ - 1;
    std::string name(tokens_[first].text);
    if (first > 0 && tokens_[first - 1].Is("~")) {
      name = "~" + name;
      --first;
    }
    while (first >= 2 && tokens_[first - 1].Is("::") && tokens_[first - 2].IsName()) {
      first -= 2;
      name = std::string(tokens_[first].text) + "::" + name;
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!scope->empty()) name = *scope + "::" + name;
    }
    const bool returns_void = first > 0 && tokens_[first - 1].text == "void";
    candidate_ = Candidate{std::move(name), tokens_[first].begin, returns_void};
  }

  void OpenBrace() {
    const bool member_initialiser =
        in_initialisers_ && at_ > 0 && (tokens_[at_ - 1].IsName() || tokens_[at_ - 1].Is(">"));
    if (member_initialiser) {
      at_ = PastMatching(at_);
      return;
    }
    if (candidate_ && !assigned_) {
      const size_t open = at_;
      at_ = PastMatching(at_);
      const size_t last = std::min(at_, tokens_.size()) - 1;
      FunctionSpan function{std::move(candidate_->name), candidate_->begin,
                            tokens_[open].begin,         tokens_[last].end,
                            static_cast<uint32_t>(open), static_cast<uint32_t>(last + 1)};
      function.is_static = is_static_;
      function.returns_void = candidate_->returns_void;
      outline_.functions.push_back(std::move(function));
      ResetDeclaration();
      return;
    }
    if (assigned_ || is_enum_ || (!transparent_ && class_name_.empty() && !class_follows_)) {
      at_ = PastMatching(at_);  // an initialiser, an enumeration, something unknown
      return;
    }
    scopes_.push_back(transparent_ ? std::string() : class_name_);
    ResetDeclaration();
    ++at_;
  }

  void ResetDeclaration() {
    candidate_.reset();
    class_name_.clear();
    transparent_ = is_enum_ = assigned_ = in_initialisers_ = class_follows_ = is_static_ = false;
  }

  bool InAlternate(uint32_t offset) const {
    const auto after =
        std::upper_bound(alternates_.begin(), alternates_.end(), offset,
                         [](uint32_t at, const Range& range) { return at < range.begin; });
    return after != alternates_.begin() && offset < std::prev(after)->end;
  }

  // Index after the token that closes the group opened at `open`. Brackets in #else branches repeat
  // those of the #if branch and are not counted when the group began outside.
  size_t PastMatching(size_t open) const {
    const bool began_in_alternate = InAlternate(tokens_[open].begin);
    const std::string_view opener = tokens_[open].text;
    const std::string_view closer = opener == "(" ? ")" : opener == "[" ? "]" : "}";
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::kPunctuator || tokens_[i].in_directive) continue;
      if (tokens_[i].text != opener && tokens_[i].text != closer) {
        // A declaration is over at a semicolon: an unclosed parenthesis must not swallow the file.
        if (opener == "[" && tokens_[i].text == ";") return i;
        continue;
      }
      if (!began_in_alternate && InAlternate(tokens_[i].begin)) continue;
      depth += tokens_[i].text == opener ? 1 : -1;
      if (depth == 0) return i + 1;
    }
    return opener == "{" ? tokens_.size() : open + 1;
  }

  const std::vector<Token>& tokens_;
  std::vector<Range> alternates_;  // the outermost ones, so none overlap
  Outline outline_;
  std::vector<std::string> scopes_;
  std::optional<Candidate> candidate_;
  std::string class_name_;
  size_t at_ = 0;
  bool transparent_ = false, is_enum_ = false, assigned_ = false, in_initialisers_ = false,
       class_follows_ = false, is_static_ = false;
};

}  // namespace

const FunctionSpan* Outline::At(uint32_t offset) const {
  auto after = std::upper_bound(
      functions.begin(), functions.end(), offset,
      [](uint32_t at, const FunctionSpan& function) { return at < function.begin; });
  if (after == functions.begin()) return nullptr;
  --after;
  return offset < after->body_end ? &*after : nullptr;
}

Outline OutlineOf(const Lexed& lexed) { return OutlineReader(lexed).Run(); }

}  // namespace culprit::inventory
