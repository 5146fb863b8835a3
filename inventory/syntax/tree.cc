// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/tree.h"

#include <algorithm>

extern "C" {
const TSLanguage* tree_sitter_c();
const TSLanguage* tree_sitter_cpp();
const TSLanguage* tree_sitter_cuda();
}

namespace culprit::inventory {
namespace {

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

const TSLanguage* GrammarOf(Language language) {
  switch (language) {
    case Language::kC:
      return tree_sitter_c();
    case Language::kCpp:
      return tree_sitter_cpp();
    case Language::kCuda:
      return tree_sitter_cuda();
  }
  return nullptr;
}

void Blank(std::string* text, Range range) {
  for (uint32_t at = range.begin; at < std::min<size_t>(range.end, text->size()); ++at) {
    if ((*text)[at] != '\n') (*text)[at] = ' ';
  }
}

// An #else branch is text of its own unless it opens or closes more than it closes or opens.
bool HasUnbalancedBraces(const Lexed& lexed, Range range) {
  const auto first =
      std::lower_bound(lexed.tokens.begin(), lexed.tokens.end(), range.begin,
                       [](const Token& token, uint32_t offset) { return token.begin < offset; });
  int depth = 0;
  for (auto token = first; token != lexed.tokens.end() && token->begin < range.end; ++token) {
    if (token->in_directive) continue;
    if (token->Is("{") || token->Is("(")) ++depth;
    if (token->Is("}") || token->Is(")")) --depth;
    if (depth < 0) return true;
  }
  return depth != 0;
}

// The lines of a header's `extern "C" {` and its closing brace parse on their own; nothing to do
// for them here.
std::string ParsableText(const SourceFile& file, const Lexed& lexed) {
  std::string text(file.text());
  for (const Range& dead : lexed.dead) Blank(&text, dead);
  for (Range alternate : lexed.alternates) {
    if (!HasUnbalancedBraces(lexed, alternate)) continue;
    const size_t line_end = text.find('\n', alternate.begin);
    if (line_end != std::string::npos && line_end < alternate.end)
      Blank(&text, {static_cast<uint32_t>(line_end), alternate.end});
  }
  return text;
}

}  // namespace

SyntaxTree::SyntaxTree(const SourceFile& file, const Lexed& lexed)
    : text_(ParsableText(file, lexed)) {
  const std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), GrammarOf(file.language()));
  tree_.reset(ts_parser_parse_string(parser.get(), nullptr, text_.data(),
                                     static_cast<uint32_t>(text_.size())));
  FindErrors(root());
}

// An error node may hold whole functions and statements that did parse; what is left of it between
// them did not.
void SyntaxTree::AddErrors(Node error) {
  uint32_t at = error.begin();
  const uint32_t end = std::max(error.end(), error.begin() + 1);
  for (uint32_t i = 0; i < error.child_count(); ++i) {
    const Node child = error.child(i);
    const bool stands_alone = child.Is("function_definition") || child.Is("declaration") ||
                              child.kind().ends_with("_statement");
    if (child.IsError() || !stands_alone) continue;
    if (child.begin() > at) errors_.push_back({at, child.begin()});
    FindErrors(child);
    at = child.end();
  }
  if (at < end) errors_.push_back({at, end});
}

void SyntaxTree::FindErrors(Node top) {
  if (!ts_node_has_error(top.raw())) return;
  TSTreeCursor cursor = ts_tree_cursor_new(top.raw());
  for (bool done = false; !done;) {
    const Node node(ts_tree_cursor_current_node(&cursor));
    if (node.IsError()) AddErrors(node);
    const bool descend = !node.IsError() && ts_node_has_error(node.raw());
    if (descend && ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (ts_tree_cursor_goto_parent(&cursor)) continue;
      done = true;
      break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace culprit::inventory
