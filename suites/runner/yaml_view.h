// SPDX-License-Identifier: Apache-2.0
//
// A YAML node together with the file it came from, so that whatever is wrong with it is reported
// with its position.
#ifndef SUITES_RUNNER_YAML_VIEW_H_
#define SUITES_RUNNER_YAML_VIEW_H_

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/runner/suite_error.h"

namespace culprit::suites {

// All methods throw SuiteError when the node is not what they ask for.
class YamlView {
 public:
  // Parses `text`, which must hold one document; `file` is for messages only.
  static YamlView Parse(const std::string& text, const std::string& file);

  bool IsMap() const { return node_.IsMap(); }
  bool IsList() const { return node_.IsSequence(); }
  bool IsText() const { return node_.IsScalar(); }
  bool IsNull() const { return node_.IsNull(); }
  SourcePosition where() const;
  [[noreturn]] void Fail(const std::string& rule) const;

  // Rejects every key that is not listed, naming those that are. `what` says whose keys they are:
  // "a step".
  void AllowKeys(std::string_view what, std::initializer_list<std::string_view> keys) const;
  std::optional<YamlView> Find(std::string_view key) const;
  YamlView Require(std::string_view what, std::string_view key) const;
  std::vector<std::pair<std::string, YamlView>> Entries() const;

  // The items of a list, which may be empty; in the other two it must not.
  std::vector<YamlView> Items() const;
  std::vector<YamlView> SomeItems() const;
  std::vector<std::string> Texts() const;

  std::string Text() const;  // not empty
  std::string TextOrEmpty() const;
  bool Flag() const;
  uint64_t Unsigned(uint64_t least, uint64_t most) const;
  double Number() const;

 private:
  YamlView(YAML::Node node, std::shared_ptr<const std::string> file)
      : node_(std::move(node)), file_(std::move(file)) {}

  YAML::Node node_;
  std::shared_ptr<const std::string> file_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_YAML_VIEW_H_
