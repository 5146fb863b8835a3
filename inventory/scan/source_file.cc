// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/source_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace culprit::inventory {

std::optional<Language> LanguageOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view extension = path.substr(dot + 1);
  for (const char* c : {"c", "h"}) {
    if (extension == c) return Language::kC;
  }
  for (const char* cuda : {"cu", "cuh"}) {
    if (extension == cuda) return Language::kCuda;
  }
  for (const char* cpp : {"cc", "cpp", "cxx", "c++", "C", "cppm", "ixx", "hh", "hpp", "hxx", "h++",
                          "H", "inl", "ipp", "tpp", "tcc", "txx", "inc", "def"}) {
    if (extension == cpp) return Language::kCpp;
  }
  return std::nullopt;
}

std::optional<Language> LanguageOf(std::string_view path, std::string_view text) {
  const std::optional<Language> by_name = LanguageOf(path);
  if (by_name != Language::kC || !path.ends_with(".h")) return by_name;
  constexpr std::string_view kOnlyCpp[] = {"namespace ", "class ",   "template <", "template<",
                                           "public:",    "private:", "using "};
  for (size_t line = 0; line < text.size();) {
    const size_t begin = std::min(text.find_first_not_of(" \t", line), text.size());
    for (const std::string_view opening : kOnlyCpp) {
      if (text.substr(begin).starts_with(opening)) return Language::kCpp;
    }
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    line = end + 1;
  }
  return Language::kC;
}

namespace {

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

SourceFile::SourceFile(std::string path, std::string text, Language language)
    : path_(std::move(path)), text_(std::move(text)), language_(language) {
  constexpr uint32_t kFar = 4096;
  line_starts_.push_back(0);
  uint32_t column = 1, last = 0;
  for (uint32_t at = 0; at < text_.size(); ++at) {
    if (text_[at] == '\n') {
      line_starts_.push_back(last = at + 1);
      column = 1;
      continue;
    }
    if (at - last >= kFar) milestones_.push_back({last = at, column});
    column += !ContinuesCharacter(text_[at]);
  }
}

uint32_t SourceFile::LineOf(uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<uint32_t>(after - line_starts_.begin());
}

Position SourceFile::PositionOf(uint32_t offset) const {
  const uint32_t line = LineOf(offset);
  Milestone from{line_starts_[line - 1], 1};
  const auto after = std::upper_bound(
      milestones_.begin(), milestones_.end(), offset,
      [](uint32_t at, const Milestone& milestone) { return at < milestone.offset; });
  if (after != milestones_.begin() && std::prev(after)->offset > from.offset)
    from = *std::prev(after);
  for (uint32_t at = from.offset; at < offset && at < text_.size(); ++at)
    from.column += !ContinuesCharacter(text_[at]);
  return {line, from.column};
}

std::string_view SourceFile::Line(uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const uint32_t begin = line_starts_[line - 1];
  std::string_view rest = std::string_view(text_).substr(begin);
  rest = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

}  // namespace culprit::inventory
