// SPDX-License-Identifier: Apache-2.0
// One source file in memory: its text, where its lines begin, and the language its name stands for.
#ifndef CULPRIT_INVENTORY_SCAN_SOURCE_FILE_H_
#define CULPRIT_INVENTORY_SCAN_SOURCE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::inventory {

enum class Language : uint8_t { kC, kCpp, kCuda };

// Empty for names that are no C, C++ or CUDA source.
std::optional<Language> LanguageOf(std::string_view path);

// The same, but a header that only C++ could read is C++ whatever its name says.
std::optional<Language> LanguageOf(std::string_view path, std::string_view text);

struct Position {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters, not bytes
};

class SourceFile {
 public:
  // `path` is what findings show: relative to the root that is checked, with '/' between folders.
  SourceFile(std::string path, std::string text, Language language);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Language language() const { return language_; }
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }

  Position PositionOf(uint32_t offset) const;
  uint32_t LineOf(uint32_t offset) const;
  std::string_view Line(uint32_t line) const;  // without its end; empty past the last line
  uint32_t LineStart(uint32_t line) const { return line_starts_[line - 1]; }

 private:
  std::string path_;
  std::string text_;
  Language language_;
  // Columns are counted from the start of the line; in long lines, from the last of these places.
  struct Milestone {
    uint32_t offset, column;
  };

  std::vector<uint32_t> line_starts_;
  std::vector<Milestone> milestones_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_SOURCE_FILE_H_
