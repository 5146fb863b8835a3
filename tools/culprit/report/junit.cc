// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/junit.h"

#include <fmt/format.h>

#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

constexpr size_t kMostCasesShown = 20;

std::string FailureOf(const suites::GroupResult& group) {
  std::string text;
  size_t shown = 0;
  for (const suites::CaseResult& result : group.failures) {
    if (++shown > kMostCasesShown) continue;
    text += result.Name() + "\n";
    for (const suites::Finding& finding : result.findings) {
      if (finding.IsError()) text += FindingText(finding);
    }
  }
  if (shown > kMostCasesShown) {
    text += fmt::format("... and {} more cases\n", shown - kMostCasesShown);
  }
  return text;
}

std::string CaseElement(const Report& report, const suites::GroupResult& group) {
  std::string element =
      fmt::format("    <testcase classname=\"{}.{}\" name=\"{} {} {}\"", EscapeMarkup(group.suite),
                  EscapeMarkup(group.settings.profile), EscapeMarkup(group.scenario),
                  EscapeMarkup(group.settings.policy), EscapeMarkup(group.settings.Name()));
  if (group.tally.failed == 0 && !report.Objects(group)) return element + "/>\n";
  const std::string message =
      group.tally.failed != 0
          ? fmt::format("{} of {} cases failed", group.tally.failed, group.tally.cases)
          : group.abandoned;
  return element + fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                               EscapeMarkup(message), EscapeMarkup(FailureOf(group)));
}

}  // namespace

std::string EscapeMarkup(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return safe;
}

std::string JUnitOf(const Report& report) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"culprit\">\n";
  for (const Row& row : RowsOf(report)) {
    std::string cases;
    size_t groups = 0;
    size_t failed = 0;
    for (const suites::GroupResult& group : report.groups) {
      if (group.suite != row.suite || group.settings.profile != row.profile) continue;
      ++groups;
      failed += group.tally.failed != 0 || report.Objects(group) ? 1 : 0;
      cases += CaseElement(report, group);
    }
    text +=
        fmt::format("  <testsuite name=\"{}.{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                    EscapeMarkup(row.suite), EscapeMarkup(row.profile), groups, failed, cases);
  }
  for (const suites::Skip& skip : report.NotRun()) {
    text += fmt::format(
        "  <testsuite name=\"{0}.skipped\" tests=\"1\" skipped=\"1\">\n    <testcase "
        "classname=\"{0}\" "
        "name=\"{1}\"><skipped message=\"{2}\"/></testcase>\n  </testsuite>\n",
        EscapeMarkup(skip.suite), EscapeMarkup(skip.what.empty() ? "suite" : skip.what),
        EscapeMarkup(skip.reason));
  }
  return text + "</testsuites>\n";
}

}  // namespace culprit::tools
