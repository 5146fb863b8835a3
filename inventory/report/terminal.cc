// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "inventory/report/printable.h"

namespace culprit::inventory {
namespace {

constexpr std::string_view kReset = "\033[0m";

std::string_view ColourOf(Severity severity) {
  if (severity == Severity::kError) return "\033[1;31m";
  return severity == Severity::kWarning ? "\033[1;35m" : "\033[1;36m";
}

void WriteExcerpt(const Location& where, const TerminalStyle& style, std::ostream& out) {
  if (where.line_text.empty()) return;
  const std::string line = Printable(where.line_text);
  const size_t width = std::min<size_t>(where.end_column - where.begin.column, line.size());
  const std::string carets =
      std::string(where.begin.column - where.text_column, ' ') + std::string(width, '^');
  out << fmt::format("{:>6} | {}\n", where.begin.line, line);
  out << fmt::format("       | {}{}{}\n", style.colour ? "\033[1;32m" : "", carets,
                     style.colour ? kReset : "");
}

void WriteFinding(const Finding& finding, const TerminalStyle& style, std::ostream& out) {
  const std::string label = finding.standing == Standing::kNew
                                ? std::string(ToString(finding.severity))
                                : fmt::format("{}, suppressed", ToString(finding.severity));
  out << fmt::format(
      "{}:{}:{}: {}{}{}: {} [{}]\n", Printable(finding.where.path), finding.where.begin.line,
      finding.where.begin.column, style.colour ? ColourOf(finding.severity) : "", label,
      style.colour ? kReset : "", Printable(finding.message), InfoOf(finding.rule).name);
  WriteExcerpt(finding.where, style, out);
  for (const Note& note : finding.notes) {
    out << fmt::format("{}:{}:{}: note: {}\n", Printable(note.where.path), note.where.begin.line,
                       note.where.begin.column, Printable(note.message));
    WriteExcerpt(note.where, style, out);
  }
  if (finding.in_unparsed_region)
    out << "       = note: this region did not parse; the token scan found it\n";
  if (finding.fix) out << fmt::format("       = fix: {}\n", finding.fix->description);
  if (finding.standing != Standing::kNew)
    out << fmt::format("       = suppressed: {}\n", Printable(finding.reason));
}

}  // namespace

void WriteTerminal(const Report& report, const TerminalStyle& style, std::ostream& out) {
  size_t suppressed = 0, by_severity[4] = {};
  for (const Finding& finding : report.findings) {
    const bool is_new = finding.standing == Standing::kNew;
    suppressed += !is_new;
    if (is_new) ++by_severity[static_cast<size_t>(finding.severity)];
    if (is_new || style.show_suppressed) WriteFinding(finding, style, out);
  }
  out << fmt::format("{} errors, {} warnings, {} notes; {} suppressed; {} files, {} lines{}\n",
                     by_severity[static_cast<size_t>(Severity::kError)],
                     by_severity[static_cast<size_t>(Severity::kWarning)],
                     by_severity[static_cast<size_t>(Severity::kNote)], suppressed,
                     report.files.size(), report.lines,
                     report.not_checked.empty()
                         ? ""
                         : fmt::format("; {} not checked", report.not_checked.size()));
}

}  // namespace culprit::inventory
