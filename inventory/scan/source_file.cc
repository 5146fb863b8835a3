// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/source_file.h"

#include <algorithm>
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
  for (const char* cpp :
       {"cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "inl", "ipp", "inc", "def"}) {
    if (extension == cpp) return Language::kCpp;
  }
  return std::nullopt;
}

SourceFile::SourceFile(std::string path, std::string text, Language language)
    : path_(std::move(path)), text_(std::move(text)), language_(language) {
  line_starts_.push_back(0);
  for (size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end + 1)) {
    line_starts_.push_back(static_cast<uint32_t>(end + 1));
  }
}

Position SourceFile::PositionOf(uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - line_starts_.begin());
  uint32_t column = 1;
  for (uint32_t at = line_starts_[line - 1]; at < offset && at < text_.size(); ++at) {
    const bool continues_character = (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80;
    column += !continues_character;
  }
  return {line, column};
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
