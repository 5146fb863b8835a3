// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/program_output.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace culprit::tools {
namespace {

constexpr size_t kLongestLine = 200;  // bytes of it that are shown
constexpr size_t kShownBefore = 60;   // the first one that differs, of a longer line
constexpr std::string_view kCut = "...";

std::string WithoutAddresses(std::string_view text) {
  std::string comparable;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "0x") != 0) {
      comparable += text[i];
      continue;
    }
    for (i += 2; i < text.size() && isxdigit(static_cast<unsigned char>(text[i])) != 0;) ++i;
    --i;
    comparable += "ADDRESS";
  }
  return comparable;
}

// The line with its end, and `text` without it.
std::string_view TakeLine(std::string_view* text) {
  const std::string_view line = text->substr(0, text->find('\n'));
  const std::string_view whole = text->substr(0, line.size() + 1);
  text->remove_prefix(whole.size());
  return whole;
}

std::string Excerpt(std::string_view line, size_t from) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  from = std::min(from, line.size());
  std::string shown(line.substr(from, kLongestLine));
  if (from != 0) shown.insert(0, kCut);
  if (line.size() - from > kLongestLine) shown += kCut;
  return shown;
}

LineThatDiffers Shown(std::string_view undisturbed, std::string_view faulted) {
  const auto differs =
      std::mismatch(undisturbed.begin(), undisturbed.end(), faulted.begin(), faulted.end());
  const auto at = static_cast<size_t>(differs.first - undisturbed.begin());
  const bool fits = std::max(undisturbed.size(), faulted.size()) <= kLongestLine;
  const size_t from = fits || at <= kShownBefore ? 0 : at - kShownBefore;
  return {Excerpt(undisturbed, from), Excerpt(faulted, from)};
}

}  // namespace

std::optional<LineThatDiffers> FirstDifference(const std::string& undisturbed,
                                               const std::string& faulted) {
  std::string_view before = undisturbed;
  std::string_view after = faulted;
  while (!before.empty() || !after.empty()) {
    const std::string one = WithoutAddresses(TakeLine(&before));
    const std::string other = WithoutAddresses(TakeLine(&after));
    if (one != other) return Shown(one, other);
  }
  return std::nullopt;
}

}  // namespace culprit::tools
