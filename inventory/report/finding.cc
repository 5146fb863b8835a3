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

}  // namespace

Location LocationOf(const SourceFile& file, uint32_t begin, uint32_t end) {
  Location where{file.path(), file.PositionOf(begin), 0, ""};
  const std::string_view line = file.Line(where.begin.line);
  const auto line_end = static_cast<uint32_t>(file.LineStart(where.begin.line) + line.size());
  where.end_column =
      std::max(file.PositionOf(std::min(end, line_end)).column, where.begin.column + 1);
  where.line_text = std::string(line);
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
