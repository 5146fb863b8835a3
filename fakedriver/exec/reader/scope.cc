// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/reader/scope.h"

namespace culprit::exec {

void Scopes::Open() {
  scopes_.push_back({stack_.empty() ? UINT32_MAX : stack_.back(), {}, {}});
  stack_.push_back(static_cast<uint32_t>(scopes_.size() - 1));
}

void Scopes::Close() { stack_.pop_back(); }

bool Scopes::Declare(std::string_view name, Name::Kind kind, uint32_t index) {
  return scopes_[stack_.back()].names.emplace(name, Name{kind, index}).second;
}

void Scopes::DeclareRange(std::string_view prefix, uint32_t first, uint32_t count) {
  scopes_[stack_.back()].ranges.push_back({prefix, first, count});
}

std::optional<Name> Scopes::Find(std::string_view name) const {
  size_t digits = name.size();
  uint64_t number = 0;
  uint64_t scale = 1;
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9' &&
         scale < 10'000'000'000) {
    number += scale * static_cast<uint64_t>(name[--digits] - '0');
    scale *= 10;
  }
  std::string_view prefix = name.substr(0, digits);
  // "%r07" is not the seventh of %r<8>.
  bool numbered = digits < name.size() && (name[digits] != '0' || digits + 1 == name.size());
  for (size_t i = stack_.size(); i-- > 0;) {
    const Scope& scope = scopes_[stack_[i]];
    if (numbered) {
      for (const Range& range : scope.ranges) {
        if (number < range.count && range.prefix == prefix) {
          return Name{Name::Kind::kRegister, range.first + static_cast<uint32_t>(number)};
        }
      }
    }
    if (scope.names.empty()) continue;
    if (auto it = scope.names.find(name); it != scope.names.end()) return it->second;
  }
  return std::nullopt;
}

std::optional<uint32_t> Scopes::FindLabelFrom(uint32_t scope, std::string_view name) const {
  for (; scope != UINT32_MAX; scope = scopes_[scope].parent) {
    auto it = scopes_[scope].names.find(name);
    if (it != scopes_[scope].names.end() && it->second.kind == Name::Kind::kLabel)
      return it->second.index;
  }
  return std::nullopt;
}

}  // namespace culprit::exec
