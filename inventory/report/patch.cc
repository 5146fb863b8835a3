// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace culprit::inventory {
namespace {

constexpr size_t kContext = 3;

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines [old_begin, old_end) become [new_begin, new_end).
struct Change {
  size_t old_begin, old_end, new_begin, new_end;
};

// Fixes touch few lines, so a change is found by looking for the nearest line where the texts agree
// again.
std::vector<Change> ChangesBetween(const std::vector<std::string_view>& before,
                                   const std::vector<std::string_view>& after) {
  std::vector<Change> changes;
  size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      ++i, ++j;
      continue;
    }
    size_t best_i = before.size(), best_j = after.size();
    for (size_t distance = 1; distance < before.size() + after.size() && best_i == before.size();
         ++distance) {
      for (size_t step = 0; step <= distance; ++step) {
        const size_t a = i + step, b = j + distance - step;
        if (a >= before.size() || b >= after.size() || before[a] != after[b]) continue;
        best_i = a;
        best_j = b;
        break;
      }
    }
    changes.push_back({i, best_i, j, best_j});
    i = best_i;
    j = best_j;
  }
  return changes;
}

void AppendLine(char mark, std::string_view line, std::string* diff) {
  *diff += mark;
  *diff += line;
  if (!line.ends_with('\n')) *diff += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string Fixed(std::string_view text, std::vector<Fix> fixes) {
  std::stable_sort(fixes.begin(), fixes.end(),
                   [](const Fix& a, const Fix& b) { return a.begin < b.begin; });
  std::string result;
  size_t done = 0;
  for (const Fix& fix : fixes) {
    if (fix.begin < done || fix.end > text.size() || fix.begin > fix.end) continue;
    result += text.substr(done, fix.begin - done);
    result += fix.replacement;
    done = fix.end;
  }
  result += text.substr(done);
  return result;
}

std::string UnifiedDiff(const std::string& path, std::string_view before, std::string_view after) {
  const auto old_lines = LinesOf(before), new_lines = LinesOf(after);
  const std::vector<Change> changes = ChangesBetween(old_lines, new_lines);
  if (changes.empty()) return {};
  std::string diff = fmt::format("--- a/{}\n+++ b/{}\n", path, path);
  for (size_t first = 0; first < changes.size();) {
    size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].old_begin - changes[last].old_end <= 2 * kContext)
      ++last;
    const size_t lead = std::min(kContext, changes[first].old_begin);
    const size_t trail = std::min(kContext, old_lines.size() - changes[last].old_end);
    const size_t old_begin = changes[first].old_begin - lead,
                 old_end = changes[last].old_end + trail;
    const size_t new_begin = changes[first].new_begin - lead,
                 new_end = changes[last].new_end + trail;
    diff +=
        fmt::format("@@ -{},{} +{},{} @@\n", old_begin + (old_end > old_begin), old_end - old_begin,
                    new_begin + (new_end > new_begin), new_end - new_begin);
    size_t at = old_begin;
    for (size_t k = first; k <= last; ++k) {
      for (; at < changes[k].old_begin; ++at) AppendLine(' ', old_lines[at], &diff);
      for (; at < changes[k].old_end; ++at) AppendLine('-', old_lines[at], &diff);
      for (size_t n = changes[k].new_begin; n < changes[k].new_end; ++n)
        AppendLine('+', new_lines[n], &diff);
    }
    for (; at < old_end; ++at) AppendLine(' ', old_lines[at], &diff);
    first = last + 1;
  }
  return diff;
}

std::string PatchOf(const Report& report, const Tree& tree) {
  std::map<std::string, std::vector<Fix>> fixes;
  for (const Finding& finding : report.findings) {
    if (finding.fix && finding.standing == Standing::kNew)
      fixes[finding.where.path].push_back(*finding.fix);
  }
  std::string patch;
  for (const SourceFile& file : tree.sources) {
    const auto found = fixes.find(file.path());
    if (found != fixes.end())
      patch += UnifiedDiff(file.path(), file.text(), Fixed(file.text(), found->second));
  }
  return patch;
}

}  // namespace culprit::inventory
