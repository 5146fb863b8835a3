// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "inventory/scan/hash.h"

namespace culprit::inventory {
namespace {

std::string WithoutBlanks(std::string_view text) {
  std::string words;
  std::copy_if(text.begin(), text.end(), std::back_inserter(words),
               [](char c) { return !std::isspace(static_cast<unsigned char>(c)); });
  return words;
}

// Nobody reads a longer line, and one that holds a whole file must not be copied into each finding.
constexpr size_t kLongestLine = 400;

// Takes as much of the line as may be shown, a little before the place and the rest behind it.
void CutOut(const SourceFile& file, std::string_view line, uint32_t begin, Location* where) {
  constexpr size_t kBefore = 100;
  const uint32_t line_begin = file.LineStart(where->begin.line);
  const size_t at = std::min<size_t>(begin - line_begin, line.size());
  size_t first = at > kBefore ? at - kBefore : 0;
  while (first < at && (static_cast<unsigned char>(line[first]) & 0xC0) == 0x80) ++first;
  where->line_text = std::string(line.substr(first, kLongestLine));
  where->text_column = file.PositionOf(line_begin + static_cast<uint32_t>(first)).column;
}

}  // namespace

Location LocationOf(const SourceFile& file, uint32_t begin, uint32_t end) {
  Location where{file.path(), file.PositionOf(begin), 0, ""};
  const std::string_view line = file.Line(where.begin.line);
  const auto line_end = static_cast<uint32_t>(file.LineStart(where.begin.line) + line.size());
  where.end_column =
      std::max(file.PositionOf(std::min(end, line_end)).column, where.begin.column + 1);
  if (line.size() <= kLongestLine) {
    where.line_text = std::string(line);
  } else {
    CutOut(file, line, begin, &where);
  }
  return where;
}

void SortAndFingerprint(std::vector<Finding>* findings) {
  const auto key = [](const Finding& f) {
    return std::tie(f.where.path, f.where.begin.line, f.where.begin.column, f.rule, f.message);
  };
  std::stable_sort(findings->begin(), findings->end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  std::map<std::string, int> seen;
  for (Finding& finding : *findings) {
    const std::string identity =
        fmt::format("{}\n{}\n{}\n{}", InfoOf(finding.rule).name, finding.where.path,
                    finding.function, WithoutBlanks(finding.where.line_text));
    finding.fingerprint =
        fmt::format("{:016x}", HashOf(fmt::format("{}\n{}", identity, seen[identity]++)));
  }
}

}  // namespace culprit::inventory
