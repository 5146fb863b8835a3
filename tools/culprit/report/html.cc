// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/html.h"

#include <fmt/format.h>

#include "tools/culprit/report/junit.h"
#include "tools/culprit/report/terminal.h"
#include "tools/culprit/report/timeline.h"

namespace culprit::tools {
namespace {

constexpr size_t kMostFailuresShown = 200;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --bad: #c0392b; --good: #1e8449; --mark: #f9e79f66; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-size: 1.3rem; font-weight: 600; } .bad { color: var(--bad); } .good { color: var(--good); }
pre { overflow-x: auto; background: #8881; padding: .6rem; font-size: 13px; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } tr.fault { background: var(--mark); } code { font-size: 13px; }
)";

std::string Cell(const std::string& text) { return "<td>" + EscapeMarkup(text) + "</td>"; }
std::string Number(uint64_t value) { return fmt::format("<td class=\"n\">{}</td>", value); }

std::string IdentityTable(const Report& report) {
  const nlohmann::json port = report.identity.value("port", nlohmann::json::object());
  const nlohmann::json driver = report.identity.value("driver", nlohmann::json::object());
  std::string text = "<table>";
  for (const auto& [name, value] :
       {std::pair{"port", port.value("name", "") + " " + port.value("version", "")},
        {"loaded from", port.value("path", "")},
        {"build id", port.value("build_id", "")},
        {"driver", driver.value("name", "") + " " + driver.value("version", "")},
        {"mapped driver", report.identity.value("mapped_driver", "")},
        {"selection", report.selection.dump()}}) {
    text += "<tr><th>" + EscapeMarkup(name) + "</th>" + Cell(value) + "</tr>";
  }
  return text + "</table>";
}

std::string ResultTable(const Report& report) {
  std::string text =
      "<table><tr><th>suite</th><th>profile</th><th class=\"n\">cases</th><th "
      "class=\"n\">passed</th>"
      "<th class=\"n\">failed</th><th class=\"n\">driver calls</th><th class=\"n\">faults "
      "fired</th></tr>";
  for (const Row& row : RowsOf(report)) {
    text += fmt::format("<tr class=\"{}\">", row.failed != 0 ? "bad" : "") + Cell(row.suite) +
            Cell(row.profile) + Number(row.cases) + Number(row.passed) + Number(row.failed) +
            Number(row.calls) + Number(row.fired) + "</tr>";
  }
  return text + "</table>";
}

std::string LeftOutList(const std::vector<suites::LeftOut>& left_out) {
  std::string text;
  for (const suites::LeftOut& left : left_out) {
    text += fmt::format("<div>left out: {} {}: {}</div>", left.count, EscapeMarkup(left.what),
                        EscapeMarkup(left.reason));
  }
  return text;
}

std::string FaultSpaceTable(const Report& report) {
  const std::vector<Coverage> all = CoverageOf(report);
  if (all.empty()) return "<p>Nothing was swept.</p>";
  std::string text =
      "<details><summary>" + std::to_string(all.size()) +
      " sweeps</summary><table><tr><th>sweep</th><th class=\"n\">calls</th><th "
      "class=\"n\">sites</th><th class=\"n\">runs</th><th class=\"n\">end states</th>"
      "<th>covered</th></tr>";
  for (const Coverage& one : all) {
    const suites::GroupResult& group = *one.group;
    std::string covered = one.singles_exhaustive() ? "exhaustive over single faults"
                                                   : LeftOutList(one.singles_left_out);
    if (group.space->pairs_wanted) {
      covered += fmt::format("<div>{} pairs over {} classes of first faults{}</div>",
                             group.space->pairs, group.space->classes,
                             one.pairs_exhaustive() ? ": exhaustive over the classes" : "");
      covered += LeftOutList(one.pairs_left_out);
    }
    text += "<tr>" +
            Cell(fmt::format("{}/{} {} {} {}", group.suite, group.scenario, group.settings.profile,
                             group.settings.policy, group.settings.Name())) +
            Number(group.space->calls) + Number(group.space->sites) + Number(group.tally.cases) +
            Number(group.tally.end_states.size()) + "<td>" + covered + "</td></tr>";
  }
  return text + "</table></details>";
}

// The driver calls that led to a finding, oldest first; the injected failure is marked.
std::string CallTable(const nlohmann::json& calls) {
  std::string text =
      "<table><tr><th class=\"n\">call</th><th "
      "class=\"n\">thread</th><th>entry</th><th>result</th></tr>";
  for (const nlohmann::json& call : calls) {
    const auto fault = call.find("fault");
    const bool injected = fault != call.end() && fault->is_number() && *fault != 0;
    text += fmt::format("<tr class=\"{}\">", injected ? "fault" : "") +
            Number(call.value("seq", uint64_t{0})) + Number(call.value("thread", uint64_t{0})) +
            Cell(call.value("entry", "")) +
            Cell(call.value("result", "") + (injected ? "  (injected)" : "")) + "</tr>";
  }
  return text + "</table>";
}

std::string FailureDetails(const Failure& failure) {
  std::string text = fmt::format(
      "<details><summary><b>{}</b>/{} <code>{} {} {}</code> &mdash; {}</summary>",
      EscapeMarkup(failure.group->suite), EscapeMarkup(failure.group->scenario),
      EscapeMarkup(failure.group->settings.profile), EscapeMarkup(failure.group->settings.policy),
      EscapeMarkup(failure.group->settings.Name()), EscapeMarkup(failure.result->Name()));
  for (const suites::Finding& finding : failure.result->findings) {
    text += "<pre>" + EscapeMarkup(FindingText(finding)) + "</pre>";
    const auto calls = finding.details.find("calls_before");
    const auto timeline = finding.details.find("timeline");
    if (timeline != finding.details.end()) text += TimelineOf(*timeline);
    if (calls != finding.details.end()) text += CallTable(*calls);
  }
  return text + "<p>Replay: <code>culprit replay " + EscapeMarkup(failure.replay) +
         "</code></p></details>";
}

std::string FailureList(const Report& report) {
  const std::vector<Failure> failures = FailuresOf(report);
  if (failures.empty()) return "<p>No case failed.</p>";
  std::string text;
  for (size_t i = 0; i < failures.size() && i < kMostFailuresShown; ++i) {
    text += FailureDetails(failures[i]);
  }
  if (failures.size() > kMostFailuresShown) {
    text += fmt::format("<p>{} further failures are in certificate.json.</p>",
                        failures.size() - kMostFailuresShown);
  }
  return text;
}

std::string SkipList(const Report& report) {
  const std::vector<suites::Skip> not_run = report.NotRun();
  if (not_run.empty()) return "<p>Everything that was asked for was run.</p>";
  std::string text = "<table><tr><th>suite</th><th>what</th><th>reason</th></tr>";
  for (const suites::Skip& skip : not_run) {
    text += "<tr>" + Cell(skip.suite) + Cell(skip.what.empty() ? "all of it" : skip.what) +
            Cell(skip.reason) + "</tr>";
  }
  return text + "</table>";
}

}  // namespace

std::string HtmlOf(const Report& report) {
  const std::vector<std::string> objections = report.Objections();
  std::string reasons;
  for (const std::string& objection : objections) {
    reasons += "<li>" + EscapeMarkup(objection) + "</li>";
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>culprit report</title><style>{}</style></head><body>\n"
      "<h1>culprit report</h1>\n<p class=\"verdict "
      "{}\">{}</p><ul>{}</ul>\n{}\n<h2>Results</h2>\n{}\n"
      "<h2>Fault space</h2>\n{}\n<h2>Failures</h2>\n{}\n<h2>Not run</h2>\n{}\n</body></html>\n",
      std::string(kStyle) + kTimelineStyle, objections.empty() ? "good" : "bad",
      objections.empty() ? "Certified" : "Not certified", reasons, IdentityTable(report),
      ResultTable(report), FaultSpaceTable(report), FailureList(report), SkipList(report));
}

}  // namespace culprit::tools
