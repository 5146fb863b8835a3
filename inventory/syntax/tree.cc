// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/tree.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "inventory/syntax/declarations.h"
#include "inventory/syntax/parser_memory.h"

extern "C" {
const TSLanguage *tree_sitter_c();
const TSLanguage *tree_sitter_cpp();
const TSLanguage *tree_sitter_cuda();
}

namespace culprit::inventory {
namespace {

struct ParserDeleter {
  void operator()(TSParser *parser) const { ts_parser_delete(parser); }
};

const TSLanguage *GrammarOf(Language language) {
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

constexpr std::string_view kFieldNames[] = {
    "alternative", "argument", "arguments",   "body",   "condition", "consequence", "declarator",
    "field",       "function", "initializer", "label",  "left",      "name",        "operator",
    "parameters",  "right",    "type",        "update", "value",
};
static_assert(std::size(kFieldNames) == static_cast<size_t>(Field::kCount));

// A grammar's numbers for the fields, 0 where it has no such field.
class FieldIds {
 public:
  explicit FieldIds(const TSLanguage *language) : language_(language) {
    for (size_t i = 0; i < ids_.size(); ++i) {
      ids_[i] = ts_language_field_id_for_name(language, kFieldNames[i].data(),
                                              static_cast<uint32_t>(kFieldNames[i].size()));
    }
  }

  const TSLanguage *language() const { return language_; }
  TSFieldId operator[](Field field) const { return ids_[static_cast<size_t>(field)]; }

 private:
  const TSLanguage *language_;
  std::array<TSFieldId, std::size(kFieldNames)> ids_;
};

const FieldIds &FieldIdsOf(const TSLanguage *language) {
  static const FieldIds grammars[] = {FieldIds(tree_sitter_c()), FieldIds(tree_sitter_cpp()),
                                      FieldIds(tree_sitter_cuda())};
  return *std::find_if(std::begin(grammars), std::end(grammars),
                       [&](const FieldIds &ids) { return ids.language() == language; });
}

void Blank(std::string *text, Range range) {
  for (uint32_t at = range.begin; at < std::min<size_t>(range.end, text->size()); ++at) {
    if ((*text)[at] != '\n') (*text)[at] = ' ';
  }
}

// An #else branch is text of its own unless it opens or closes more than it
// closes or opens.
bool HasUnbalancedBraces(const Lexed &lexed, Range range) {
  const auto first =
      std::lower_bound(lexed.tokens.begin(), lexed.tokens.end(), range.begin,
                       [](const Token &token, uint32_t offset) { return token.begin < offset; });
  int depth = 0;
  for (auto token = first; token != lexed.tokens.end() && token->begin < range.end; ++token) {
    if (token->in_directive) continue;
    if (token->Is("{") || token->Is("(")) ++depth;
    if (token->Is("}") || token->Is(")")) --depth;
    if (depth < 0) return true;
  }
  return depth != 0;
}

// What is not parsed, in file order and without overlaps. The lines of a
// header's `extern "C" {` and its closing brace parse on their own; nothing to
// do for them here.
std::vector<Range> BlankedRanges(const SourceFile &file, const Lexed &lexed) {
  std::vector<Range> ranges = lexed.dead;
  for (const Range &alternate : lexed.alternates) {
    if (!HasUnbalancedBraces(lexed, alternate)) continue;
    const size_t line_end = file.text().find('\n', alternate.begin);
    if (line_end != std::string_view::npos && line_end < alternate.end)
      ranges.push_back({static_cast<uint32_t>(line_end), alternate.end});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range &range : ranges) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

TSRange ToTreeSitter(const SourceFile &file, const Range &range) {
  const auto point = [&](uint32_t offset) {
    const uint32_t line = file.LineOf(offset);
    return TSPoint{line - 1, offset - file.LineStart(line)};
  };
  return {point(range.begin), point(range.end), range.begin, range.end};
}

}  // namespace

Node Node::field(Field name) const {
  if (!exists_) return Node();
  return Node(ts_node_child_by_field_id(node_, FieldIdsOf(ts_tree_language(node_.tree))[name]));
}

SyntaxTree::SyntaxTree(const SourceFile &file, const Lexed &lexed) : text_(file.text()) {
  for (const Range &range : BlankedRanges(file, lexed)) Blank(&text_, range);
  Parse(file, {});
}

SyntaxTree::SyntaxTree(const SourceFile &file, const Lexed &lexed, const std::vector<Range> &wanted)
    : text_(file.text()) {
  const std::vector<Range> blanked = BlankedRanges(file, lexed);
  for (const Range &range : blanked) Blank(&text_, range);
  Parse(file, DeclarationsAround(lexed, blanked, wanted).value_or(std::vector<Range>()));
}

// Without parts, everything.
void SyntaxTree::Parse(const SourceFile &file, const std::vector<Range> &parts) {
  InstallParserMemory();
  // It keeps its buffers for the thread's next file.
  thread_local const std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), GrammarOf(file.language()));
  std::vector<TSRange> ranges;
  for (const Range &part : parts) ranges.push_back(ToTreeSitter(file, part));
  ts_parser_set_included_ranges(parser.get(), ranges.data(), static_cast<uint32_t>(ranges.size()));
  tree_.reset(ts_parser_parse_string(parser.get(), nullptr, text_.data(),
                                     static_cast<uint32_t>(text_.size())));
  FindErrors(root());
}

// An error node may hold whole functions and statements that did parse; what is
// left of it between them did not.
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
