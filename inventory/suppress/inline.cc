// SPDX-License-Identifier: Apache-2.0
#include "inventory/suppress/inline.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace culprit::inventory {
namespace {

constexpr std::string_view kMarker = "culprit: allow(";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void ParseRules(std::string_view list, Suppression* suppression) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    suppression->rules.emplace_back(Trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

// ` until 2027-01-31: reason` or `: reason`
void ParseTail(std::string_view tail, Suppression* suppression) {
  const size_t colon = tail.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view head = Trimmed(tail.substr(0, colon));
  if (head.starts_with("until")) suppression->until = std::string(Trimmed(head.substr(5)));
  suppression->reason = std::string(Trimmed(tail.substr(colon + 1)));
}

}  // namespace

std::vector<Suppression> FindSuppressions(const SourceFile& file, const Lexed& lexed) {
  std::vector<Suppression> suppressions;
  for (const Comment& comment : lexed.comments) {
    std::string_view text = file.text().substr(comment.begin, comment.end - comment.begin);
    const size_t marker = text.find(kMarker);
    if (marker == std::string_view::npos) continue;
    if (text.ends_with("*/")) text.remove_suffix(2);
    text.remove_prefix(marker + kMarker.size());
    const size_t close = std::min(text.find(')'), text.size());
    Suppression suppression;
    ParseRules(text.substr(0, close), &suppression);
    ParseTail(text.substr(std::min(close + 1, text.size())), &suppression);
    suppression.begin = comment.begin;
    suppression.end = comment.end;
    suppression.where = LocationOf(file, comment.begin, comment.end);
    suppression.applies_to = suppression.where.begin.line;
    if (comment.alone) {
      const auto next = std::lower_bound(
          lexed.tokens.begin(), lexed.tokens.end(), comment.end,
          [](const Token& token, uint32_t offset) { return token.begin < offset; });
      if (next != lexed.tokens.end()) suppression.applies_to = file.PositionOf(next->begin).line;
    }
    suppressions.push_back(std::move(suppression));
  }
  return suppressions;
}

}  // namespace culprit::inventory
