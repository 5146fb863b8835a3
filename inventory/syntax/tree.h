// SPDX-License-Identifier: Apache-2.0
// A tolerant syntax tree of one file. Text that cannot be compiled, and #else branches that open
// braces a second time, are blanked before parsing, so offsets stay those of the file. What still
// does not parse is listed; the token scan covers it.
#ifndef CULPRIT_INVENTORY_SYNTAX_TREE_H_
#define CULPRIT_INVENTORY_SYNTAX_TREE_H_

#include <tree_sitter/api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/scan/lexer.h"

namespace culprit::inventory {

// The fields that are asked for, by their names in the grammars.
enum class Field : uint8_t {
  kAlternative,
  kArgument,
  kArguments,
  kBody,
  kCondition,
  kConsequence,
  kDeclarator,
  kField,
  kFunction,
  kInitializer,
  kLabel,
  kLeft,
  kName,
  kOperator,
  kParameters,
  kRight,
  kType,
  kUpdate,
  kValue,
  kCount
};

// A node of the tree: valid as long as the tree is.
class Node {
 public:
  Node() = default;
  explicit Node(TSNode node) : node_(node), exists_(!ts_node_is_null(node)) {}

  explicit operator bool() const { return exists_; }
  std::string_view kind() const {
    return exists_ ? std::string_view(ts_node_type(node_)) : std::string_view();
  }
  bool Is(std::string_view kind_name) const { return kind() == kind_name; }
  uint32_t begin() const { return ts_node_start_byte(node_); }
  uint32_t end() const { return ts_node_end_byte(node_); }
  uint32_t child_count() const { return exists_ ? ts_node_named_child_count(node_) : 0; }
  Node child(uint32_t index) const { return Node(ts_node_named_child(node_, index)); }
  Node field(Field name) const;
  bool IsError() const {
    return exists_ && (ts_node_symbol(node_) == kErrorSymbol || ts_node_is_missing(node_));
  }
  TSNode raw() const { return node_; }

 private:
  static constexpr TSSymbol kErrorSymbol = 0xFFFF;

  TSNode node_{};
  bool exists_ = false;
};

class SyntaxTree {
 public:
  // The tree of the whole file.
  SyntaxTree(const SourceFile& file, const Lexed& lexed);
  // Of the declarations that hold `wanted` only, where they can be cut out; ranges in file order.
  SyntaxTree(const SourceFile& file, const Lexed& lexed, const std::vector<Range>& wanted);

  Node root() const { return Node(ts_tree_root_node(tree_.get())); }
  std::string_view TextOf(Node node) const {
    return std::string_view(text_).substr(node.begin(), node.end() - node.begin());
  }
  const std::vector<Range>& errors() const { return errors_; }  // in file order

 private:
  struct TreeDeleter {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };

  void Parse(const SourceFile& file, const std::vector<Range>& parts);
  void FindErrors(Node top);
  void AddErrors(Node error);

  std::string text_;
  std::unique_ptr<TSTree, TreeDeleter> tree_;
  std::vector<Range> errors_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_TREE_H_
