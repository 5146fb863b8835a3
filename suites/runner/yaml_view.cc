// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/yaml_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace culprit::suites {
namespace {

SourcePosition PositionOf(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, mark.line + 1, mark.column + 1};
}

// yaml-cpp keeps the last of two equal keys without a word; here that is an error.
void RejectRepeatedKeys(const YAML::Node& node, const std::string& file) {
  if (node.IsSequence()) {
    for (const YAML::Node& item : node) RejectRepeatedKeys(item, file);
  } else if (node.IsMap()) {
    std::set<std::string> seen;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) {
        throw SuiteError(PositionOf(entry.first.Mark(), file), "a key must be plain text");
      }
      if (!seen.insert(entry.first.Scalar()).second) {
        throw SuiteError(PositionOf(entry.first.Mark(), file),
                         fmt::format("key '{}' occurs twice", entry.first.Scalar()));
      }
      RejectRepeatedKeys(entry.second, file);
    }
  }
}

}  // namespace

YamlView YamlView::Parse(const std::string& text, const std::string& file) {
  try {
    YAML::Node node = YAML::Load(text);
    RejectRepeatedKeys(node, file);
    return YamlView(std::move(node), std::make_shared<const std::string>(file));
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

std::vector<std::string> YamlView::Texts() const {
  std::vector<std::string> texts;
  for (const YamlView& item : Items()) texts.push_back(item.Text());
  return texts;
}

std::string YamlView::Text() const {
  if (!node_.IsScalar()) Fail("plain text is expected here");
  return node_.Scalar();
}

bool YamlView::Flag() const {
  const std::string text = Text();
  if (text != "true" && text != "false") Fail("true or false is expected here");
  return text == "true";
}

uint64_t YamlView::Unsigned(uint64_t most) const {
  uint64_t value = 0;
  const std::string text = Text();
  const bool digits = !text.empty() && text.size() < 19 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (digits) value = std::stoull(text);
  if (!digits || value > most) Fail(fmt::format("a number from 0 to {} is expected here", most));
  return value;
}

double YamlView::Number() const {
  double value = 0;
  if (!node_.IsScalar() || !YAML::convert<double>::decode(node_, value)) {
    Fail("a number is expected here");
  }
  return value;
}

}  // namespace culprit::suites
