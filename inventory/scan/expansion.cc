// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/expansion.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace culprit::inventory {
namespace {

constexpr size_t kDeepest = 16;
constexpr size_t kMostTokens = 1000;  // over one whole expansion

struct Word {
  TokenKind kind;
  std::string text;
  bool glued = false;

  bool Is(std::string_view punctuator) const {
    return kind == TokenKind::kPunctuator && text == punctuator;
  }
};
using Words = std::vector<Word>;

class Expander {
 public:
  explicit Expander(const MacroScope& macros) : macros_(macros) {}

  Words Expand(const Words& words, size_t depth) {
    Words out;
    for (size_t at = 0; at < words.size() && spent_ < kMostTokens; ++at) {
      ++spent_;
      const Macro* macro =
          words[at].kind == TokenKind::kIdentifier ? macros_.Find(words[at].text) : nullptr;
      const bool called = at + 1 < words.size() && words[at + 1].Is("(");
      if (!macro || depth >= kDeepest || IsActive(*macro) || (macro->function_like && !called)) {
        out.push_back(words[at]);
        continue;
      }
      std::vector<Words> arguments;
      if (macro->function_like) at = ReadArguments(words, at + 1, &arguments);
      Words body = Substitute(*macro, arguments, depth);
      active_.push_back(macro);
      Words expanded = Expand(body, depth + 1);
      active_.pop_back();
      std::move(expanded.begin(), expanded.end(), std::back_inserter(out));
    }
    return out;
  }

 private:
  bool IsActive(const Macro& macro) const {
    return std::find(active_.begin(), active_.end(), &macro) != active_.end();
  }

  // Index of the closing parenthesis, or of the last word when there is none.
  static size_t ReadArguments(const Words& words, size_t open, std::vector<Words>* arguments) {
    arguments->emplace_back();
    int depth = 0;
    for (size_t at = open; at < words.size(); ++at) {
      if (words[at].Is("(") && depth++ == 0) continue;
      if (words[at].Is(")") && --depth == 0) return at;
      if (words[at].Is(",") && depth == 1) {
        arguments->emplace_back();
      } else {
        arguments->back().push_back(words[at]);
      }
    }
    return words.size() - 1;
  }

  // The words that stand for parameter `index`; __VA_ARGS__ stands for all that are left.
  static Words ArgumentOf(const Macro& macro, const std::vector<Words>& arguments, size_t index) {
    if (index >= arguments.size()) return {};
    Words words = arguments[index];
    if (macro.parameters[index] != "__VA_ARGS__") return words;
    for (size_t more = index + 1; more < arguments.size(); ++more) {
      words.push_back({TokenKind::kPunctuator, ","});
      words.insert(words.end(), arguments[more].begin(), arguments[more].end());
    }
    return words;
  }

  Words Substitute(const Macro& macro, const std::vector<Words>& arguments, size_t depth) {
    Words out;
    bool glue = false;
    const std::vector<Macro::Word>& body = macro.body;
    for (size_t at = 0; at < body.size() && spent_ < kMostTokens; ++at) {
      ++spent_;
      if (body[at].text == "##" && body[at].kind == TokenKind::kPunctuator) {
        glue = true;
        continue;
      }
      const bool before_glue = at + 1 < body.size() && body[at + 1].text == "##";
      const bool is_stringized = body[at].text == "#" && at + 1 < body.size();
      const size_t index = ParameterOf(macro, body[is_stringized ? at + 1 : at].text);
      Words words;
      if (index == macro.parameters.size()) {
        words.push_back({body[at].kind, body[at].text});
      } else if (is_stringized) {
        words.push_back(Stringized(ArgumentOf(macro, arguments, index)));
        ++at;
      } else {
        words = ArgumentOf(macro, arguments, index);
        spent_ += words.size();
        if (!glue && !before_glue) words = Expand(words, depth + 1);
      }
      Append(std::move(words), glue, &out);
      glue = false;
    }
    return out;
  }

  static size_t ParameterOf(const Macro& macro, std::string_view name) {
    return static_cast<size_t>(std::find(macro.parameters.begin(), macro.parameters.end(), name) -
                               macro.parameters.begin());
  }

  static Word Stringized(const Words& words) {
    std::string text;
    for (const Word& word : words) text += word.text;
    return {TokenKind::kString, std::move(text)};
  }

  static void Append(Words words, bool glue, Words* out) {
    size_t first = 0;
    if (glue && !out->empty() && !words.empty()) {
      out->back().text += words[0].text;
      out->back().glued = true;
      first = 1;
    }
    out->insert(out->end(), std::make_move_iterator(words.begin() + static_cast<long>(first)),
                std::make_move_iterator(words.end()));
  }

  const MacroScope& macros_;
  std::vector<const Macro*> active_;
  size_t spent_ = 0;
};

Words WordsOf(std::span<const Token> tokens) {
  Words words;
  for (const Token& token : tokens.first(std::min(tokens.size(), kMostTokens)))
    words.push_back({token.kind, std::string(token.text)});
  return words;
}

Expansion Summary(const Words& words, size_t read) {
  Expansion expansion;
  expansion.read = read;
  bool joins = false;
  for (const Word& word : words) {
    if (word.glued && word.kind == TokenKind::kIdentifier) expansion.glued.push_back(word.text);
    const bool is_string = word.kind == TokenKind::kString;
    if (is_string && joins) {
      expansion.strings.back() += word.text;
    } else if (is_string) {
      expansion.strings.push_back(word.text);
    }
    joins = is_string;
  }
  return expansion;
}

}  // namespace

Expansion Expand(const MacroScope& macros, std::span<const Token> tokens) {
  return Summary(Expander(macros).Expand(WordsOf(tokens), 0), tokens.size());
}

Expansion ExpandCall(const MacroScope& macros, std::span<const Token> tokens) {
  size_t end = 1;
  int depth = 0;
  for (size_t at = 1; at < tokens.size() && at < kMostTokens; ++at) {
    if (at == 1 && !tokens[at].Is("(")) break;
    if (tokens[at].Is("(")) ++depth;
    if (tokens[at].Is(")") && --depth == 0) {
      end = at + 1;
      break;
    }
  }
  return Expand(macros, tokens.first(std::min(end, tokens.size())));
}

}  // namespace culprit::inventory
