// SPDX-License-Identifier: Apache-2.0
//
// Names inside a function body. Braces nest, and "%r<100>" declares a hundred registers without
// storing a hundred names.
#ifndef FAKEDRIVER_EXEC_READER_SCOPE_H_
#define FAKEDRIVER_EXEC_READER_SCOPE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace culprit::exec {

struct Name {
  enum class Kind : uint8_t { kRegister, kVariable, kLabel, kTargets };
  Kind kind;
  uint32_t index;
};

class Scopes {
 public:
  void Open();
  void Close();
  bool AtTop() const { return stack_.size() == 1; }

  // False if the innermost scope has the name already.
  bool Declare(std::string_view name, Name::Kind kind, uint32_t index);
  void DeclareRange(std::string_view prefix, uint32_t first, uint32_t count);

  std::optional<Name> Find(std::string_view name) const;

  // Labels may be used before they stand; the reference is settled when the function ends.
  uint32_t current() const { return stack_.back(); }
  std::optional<uint32_t> FindLabelFrom(uint32_t scope, std::string_view name) const;

 private:
  struct Range {
    std::string_view prefix;
    uint32_t first;
    uint32_t count;
  };
  struct Scope {
    uint32_t parent;
    std::unordered_map<std::string_view, Name> names;
    std::vector<Range> ranges;
  };

  std::vector<Scope> scopes_;
  std::vector<uint32_t> stack_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_SCOPE_H_
