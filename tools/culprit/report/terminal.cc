// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "suites/runner/policy.h"
#include "tools/culprit/report/json_text.h"

namespace culprit::tools {
namespace {

constexpr size_t kMostSweepsShown = 4;
constexpr size_t kMostFailuresPrinted = 10;
constexpr size_t kMostObjectionsPrinted = 5;

std::string Line(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format("      {:<12} {}\n", name, value);
}

std::string LeftOutText(const std::vector<suites::LeftOut>& left_out) {
  std::string text;
  for (const suites::LeftOut& left : left_out) {
    text += fmt::format("    left out: {} {}: {}\n", left.count, left.what, left.reason);
  }
  return text;
}

std::string CoverageText(const Coverage& coverage) {
  const suites::GroupResult& group = *coverage.group;
  const suites::FaultSpace& space = *group.space;
  std::string text = fmt::format(
      "  {}/{}  {} {} {}\n    {} calls, {} sites, {} runs, {} distinct end states\n    {} single "
      "faults{}\n",
      group.suite, group.scenario, group.settings.profile, group.settings.policy,
      group.settings.Name(), space.calls, space.sites, group.tally.cases,
      group.tally.end_states.size(), space.singles,
      coverage.singles_exhaustive() ? ": exhaustive" : "");
  text += LeftOutText(coverage.singles_left_out);
  if (!space.pairs_wanted) return text;
  text += fmt::format("    {} pairs, {} classes of {} first faults{}\n", space.pairs, space.classes,
                      space.first_faults,
                      coverage.pairs_exhaustive() ? ": exhaustive over the classes" : "");
  return text + LeftOutText(coverage.pairs_left_out);
}

std::string MinimalText(const Report& report, const FailureKind& kind) {
  const MinimalCase* found = MinimalOf(report, kind);
  if (found == nullptr) return {};
  const MinimalCase& minimal = *found;
  const std::string& replay = kind.first.replay;
  std::string text =
      Line("smallest", fmt::format("{}, {} frames, {}: {}", minimal.settings.Name(), minimal.frames,
                                   minimal.result.Name(), MinimalReplayOf(replay)));
  const bool has_test = !minimal.test_case.text.empty();
  text +=
      Line("as a test", has_test ? TestCaseFileOf(replay) : "none: " + minimal.test_case.why_not);
  return text;
}

std::string ExpectationsText(const Report& report) {
  std::string text;
  for (const WaiverUse& use : UseOf(report)) {
    if (use.waiver->list != suites::WaiverList::kExpectedToFail || use.uses == 0) continue;
    text += fmt::format("  {} {}: {} cases ({})\n", use.waiver->suite, use.waiver->What(), use.uses,
                        use.waiver->reason);
  }
  return text.empty() ? text : "failed as expected:\n" + text;
}

// The sweeps that went furthest; a whole certification has hundreds.
std::string FaultSpaceText(const Report& report) {
  std::vector<Coverage> all = CoverageOf(report);
  if (all.empty()) return {};
  const auto exhaustive = static_cast<size_t>(std::count_if(
      all.begin(), all.end(), [](const Coverage& one) { return one.singles_exhaustive(); }));
  std::stable_sort(all.begin(), all.end(), [](const Coverage& a, const Coverage& b) {
    const auto rank = [](const Coverage& one) {
      return std::pair(one.group->space->pairs_wanted, one.singles_exhaustive());
    };
    return rank(a) > rank(b);
  });
  std::string text = "fault space:\n";
  for (size_t i = 0; i < all.size() && i < kMostSweepsShown; ++i) text += CoverageText(all[i]);
  if (all.size() > kMostSweepsShown) {
    text += fmt::format("  {} sweeps in all, {} of them exhaustive; certificate.json has them\n",
                        all.size(), exhaustive);
  }
  return text;
}

std::string LaunchesText(const std::vector<Row>& rows) {
  uint64_t launches = 0;
  uint64_t reused = 0;
  for (const Row& row : rows) {
    launches += row.launches;
    reused += row.launches_reused;
  }
  if (reused == 0) return {};
  return fmt::format(
      "{} of {} kernel launches had inputs seen before and were not computed again\n", reused,
      launches);
}

}  // namespace

// What would have failed and what it was excused with: a certificate is no stronger than these.
std::string ExcusedText(const Report& report) {
  std::map<std::pair<std::string, std::string>, uint64_t> counts;
  for (const suites::GroupResult& group : report.groups) {
    for (const auto& [key, remark] : group.tally.remarks) {
      const std::string excuse = Text(remark.example.details, "excused");
      if (!excuse.empty()) counts[{remark.example.id, excuse}] += remark.count;
    }
  }
  std::string text = counts.empty() ? "" : "excused:\n";
  for (const auto& [what, count] : counts) {
    text += fmt::format("  {} {} ({})\n", count, what.first, what.second);
  }
  return text;
}

std::string TableOf(const Report& report) {
  const std::vector<Row> rows = RowsOf(report);
  size_t width = 5;
  for (const Row& row : rows) width = std::max(width, row.suite.size());
  std::string text = fmt::format("{:<{}}  {:<13} {:>7} {:>7} {:>7} {:>9} {:>8}\n", "suite", width,
                                 "profile", "cases", "passed", "failed", "calls", "faults");
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<13} {:>7} {:>7} {:>7} {:>9} {:>8}{}\n", row.suite, width,
                        row.profile, row.cases, row.passed, row.failed, row.calls, row.fired,
                        row.failed != 0 ? "  FAILED" : "");
  }
  const std::vector<suites::Skip> not_run = report.NotRun();
  if (!not_run.empty()) text += "not run:\n";
  for (const suites::Skip& skip : not_run) {
    text += fmt::format("  {}{}{}: {}\n", skip.suite, skip.what.empty() ? "" : ", ", skip.what,
                        skip.reason);
  }
  uint64_t unreached = 0;
  for (const Row& row : rows) unreached += row.unreached;
  if (unreached != 0) {
    text += fmt::format("{} faults of threaded runs were planned and not reached\n", unreached);
  }
  return text + ExcusedText(report) + ExpectationsText(report) + FaultSpaceText(report) +
         LaunchesText(rows);
}

std::string FindingText(const suites::Finding& finding) {
  const nlohmann::json& details = finding.details;
  const suites::PolicyRule* rule = suites::RuleOf(finding);
  std::string text = fmt::format("    {} [{}] {}\n", finding.severity, finding.id, finding.message);
  if (rule != nullptr && finding.IsError()) {
    text += Line("rule", fmt::format("{}: {}", rule->id, rule->promise));
  }
  std::string call = Text(details, "entry");
  const std::string number = Text(details, "call");
  if (!number.empty() && number != "0") call = fmt::format("#{} {}", number, call);
  text += Line("call", call);
  text += Line("argument", Text(details, "argument"));
  text += Line("object", Text(details, "object"));
  const std::string handle = Text(details, "handle");
  if (handle != "0x0") text += Line("handle", handle);
  if (const auto made = details.find("created_by"); made != details.end()) {
    text += Line("created by",
                 fmt::format("call #{} {} on thread {} {}", Text(*made, "call"),
                             Text(*made, "entry"), Text(*made, "thread"), Text(*made, "location")));
  }
  const std::string thread = Text(details, "thread");
  if (thread != "0") text += Line("thread", thread);
  text += Line("called from", Text(details, "location"));
  text += Line("during", finding.step);
  text += Line("last call", Text(details, "last_driver_call"));
  if (const auto more = details.find("details"); more != details.end()) {
    for (const auto& [key, value] : more->items())
      text += Line(key.c_str(), Text(*more, key.c_str()));
  }
  if (const auto stack = details.find("stack"); stack != details.end()) {
    for (const nlohmann::json& frame : *stack) {
      text += Line("at", frame.get<std::string>());
    }
  }
  return text;
}

std::string FailuresText(const Report& report, size_t most) {
  const std::vector<std::vector<FailureKind>> kinds = KindsByCase(report);
  std::string text;
  for (size_t i = 0; i < kinds.size() && i < most; ++i) {
    const FailureKind& first = kinds[i].front();
    const suites::GroupResult& group = *first.first.group;
    uint64_t cases = 0;
    for (const FailureKind& kind : kinds[i]) cases += kind.cases;
    const uint64_t alike = cases - kinds[i].size();
    text += fmt::format("\n  {}/{}  {} {}\n  {}{}\n", group.suite, group.scenario,
                        group.settings.profile, group.settings.Name(), first.first.result->Name(),
                        alike != 0 ? fmt::format("  (and {} findings alike)", alike) : "");
    for (const FailureKind& kind : kinds[i]) text += FindingText(*kind.finding);
    std::string replays = first.first.replay;
    for (const FailureKind& kind : kinds[i]) {
      if (replays.find(kind.first.replay) == std::string::npos) {
        replays += ", " + kind.first.replay;
      }
    }
    text += Line("replay", replays);
    text += MinimalText(report, first);
  }
  if (kinds.size() > most) {
    text += fmt::format("\n  {} further kinds of failure are in the report\n", kinds.size() - most);
  }
  return text;
}

std::string PartText(const nlohmann::json& selection) {
  const std::string shard = selection.value("shard", "1/1");
  return shard == "1/1" ? "" : fmt::format(" as far as part {} goes", shard);
}

std::string VerdictText(const Report& report) {
  const nlohmann::json& port = report.identity.at("port");
  const std::string name = fmt::format("{} {}", port.value("name", ""), port.value("version", ""));
  const std::vector<std::string> objections = report.Objections();
  if (objections.empty()) {
    return fmt::format("\ncertified{}: {}\n", PartText(report.selection), name);
  }
  std::string text =
      FailuresText(report, kMostFailuresPrinted) + fmt::format("\nnot certified: {}\n", name);
  for (size_t i = 0; i < objections.size() && i < kMostObjectionsPrinted; ++i) {
    text += fmt::format("  {}\n", objections[i]);
  }
  if (objections.size() > kMostObjectionsPrinted) {
    text += fmt::format("  and {} more in certificate.json\n",
                        objections.size() - kMostObjectionsPrinted);
  }
  return text;
}

}  // namespace culprit::tools
