// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/yaml_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/depthguard.h>

#include <algorithm>
#include <set>

#include "input/number.h"
#include "input/yaml_document.h"

namespace culprit::suites {
namespace {

SourcePosition PositionOf(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, mark.line + 1, mark.column + 1};
}

// What a file of ours may be. An anchor that holds itself has no end, and a few that hold each
// other twice make millions of nodes.
constexpr int kDeepest = 64;
constexpr size_t kMostNodes = 1000000;

class Inspection {
 public:
  explicit Inspection(const std::string& file) : file_(file) {}

  // yaml-cpp keeps the last of two equal keys without a word; here that is an error.
  void LookAt(const YAML::Node& node, int depth = 0) {
    if (depth > kDeepest) Fail(node, "this is nested too deeply");
    if (++nodes_ > kMostNodes) Fail(node, "the file holds too much, perhaps by its anchors");
    if (node.IsSequence()) {
      for (const YAML::Node& item : node) LookAt(item, depth + 1);
    } else if (node.IsMap()) {
      std::set<std::string> seen;
      for (const auto& entry : node) {
        if (!entry.first.IsScalar()) Fail(entry.first, "a key must be plain text");
        if (!seen.insert(entry.first.Scalar()).second) {
          Fail(entry.first, fmt::format("key '{}' occurs twice", entry.first.Scalar()));
        }
        LookAt(entry.second, depth + 1);
      }
    }
  }

 private:
  [[noreturn]] void Fail(const YAML::Node& node, const std::string& rule) const {
    throw SuiteError(PositionOf(node.Mark(), file_), rule);
  }

  const std::string& file_;
  size_t nodes_ = 0;
};

}  // namespace

YamlView YamlView::Parse(const std::string& text, const std::string& file) {
  try {
    YAML::Node node = YAML::Load(text);
    if (const auto second = SecondDocument(text)) {
      throw SuiteError(PositionOf(*second, file), kOneDocument);
    }
    if (node.IsNull()) throw SuiteError({file}, "there is nothing in the file");
    Inspection(file).LookAt(node);
    return YamlView(std::move(node), std::make_shared<const std::string>(file));
  } catch (const YAML::DeepRecursion& error) {
    throw SuiteError(PositionOf(error.mark, file), "this is nested too deeply");
  } catch (const YAML::Exception& error) {
    throw SuiteError(PositionOf(error.mark, file), error.msg);
  }
}

SourcePosition YamlView::where() const { return PositionOf(node_.Mark(), *file_); }

void YamlView::Fail(const std::string& rule) const { throw SuiteError(where(), rule); }

void YamlView::AllowKeys(std::string_view what,
                         std::initializer_list<std::string_view> keys) const {
  if (!node_.IsMap()) Fail(fmt::format("{} must be a map", what));
  for (const auto& entry : node_) {
    const std::string& key = entry.first.Scalar();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw SuiteError(PositionOf(entry.first.Mark(), *file_),
                       fmt::format("unknown key '{}'; {} has: {}", key, what,
                                   fmt::join(keys.begin(), keys.end(), ", ")));
    }
  }
}

std::optional<YamlView> YamlView::Find(std::string_view key) const {
  const YAML::Node& fixed = node_;  // operator[] of a non-const node would add the key
  const YAML::Node found = fixed[std::string(key)];
  if (!found.IsDefined()) return std::nullopt;
  return YamlView(found, file_);
}

YamlView YamlView::Require(std::string_view what, std::string_view key) const {
  auto found = Find(key);
  if (!found) Fail(fmt::format("{} needs the key '{}'", what, key));
  return *found;
}

std::vector<std::pair<std::string, YamlView>> YamlView::Entries() const {
  if (!node_.IsMap()) Fail("a map is expected here");
  std::vector<std::pair<std::string, YamlView>> entries;
  for (const auto& entry : node_) {
    entries.emplace_back(entry.first.Scalar(), YamlView(entry.second, file_));
  }
  return entries;
}

std::vector<YamlView> YamlView::Items() const {
  if (!node_.IsSequence()) Fail("a list is expected here");
  std::vector<YamlView> items;
  for (const YAML::Node& item : node_) items.push_back(YamlView(item, file_));
  return items;
}

std::vector<YamlView> YamlView::SomeItems() const {
  std::vector<YamlView> items = Items();
  if (items.empty()) Fail("the list is empty");
  return items;
}

std::vector<std::string> YamlView::Texts() const {
  std::vector<std::string> texts;
  for (const YamlView& item : SomeItems()) texts.push_back(item.Text());
  return texts;
}

std::string YamlView::Text() const {
  std::string text = TextOrEmpty();
  if (text.empty()) Fail("a text is expected here, and it must not be empty");
  return text;
}

std::string YamlView::TextOrEmpty() const {
  if (node_.IsNull()) {
    Fail(
        "a text is expected here; one that YAML takes for nothing, such as NULL or ~, goes into "
        "quotes");
  }
  if (!node_.IsScalar()) Fail("plain text is expected here");
  return node_.Scalar();
}

bool YamlView::Flag() const {
  const std::string text = Text();
  if (text != "true" && text != "false") Fail("true or false is expected here");
  return text == "true";
}

uint64_t YamlView::Unsigned(uint64_t least, uint64_t most) const {
  const auto value = node_.IsScalar() ? WholeNumberIn(node_.Scalar()) : std::nullopt;
  if (!value || *value < least || *value > most) {
    Fail(fmt::format("a number from {} to {} is expected here", least, most));
  }
  return *value;
}

double YamlView::Number() const {
  const auto value = node_.IsScalar() ? NumberIn(node_.Scalar()) : std::nullopt;
  if (!value) Fail("a number is expected here");
  return *value;
}

}  // namespace culprit::suites
