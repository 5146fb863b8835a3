// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "inventory/report/balance.h"
#include "inventory/report/finding_json.h"
#include "inventory/report/printable.h"
#include "inventory/rules/owners.h"

namespace culprit::inventory {
namespace {

std::string Escaped(std::string_view text, const std::map<char, std::string_view>& replacements) {
  std::string result;
  for (const char c : Printable(text)) {
    const auto replacement = replacements.find(c);
    if (replacement != replacements.end()) {
      result += replacement->second;
    } else {
      result += c;
    }
  }
  return result;
}

std::string Xml(std::string_view text) {
  return Escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string GithubMessage(std::string_view text) { return Escaped(text, {{'%', "%25"}}); }

std::string GithubProperty(std::string_view text) {
  return Escaped(text, {{'%', "%25"}, {':', "%3A"}, {',', "%2C"}});
}

std::string Place(const Location& where) {
  return fmt::format("{}:{}:{}", where.path, where.begin.line, where.begin.column);
}

void WriteCase(const Finding& finding, std::ostream& out) {
  out << fmt::format("    <testcase classname=\"inventory.{}\" name=\"{}\">\n",
                     InfoOf(finding.rule).name, Xml(Place(finding.where)));
  if (finding.standing == Standing::kNew) {
    out << fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                       ToString(finding.severity), Xml(finding.message),
                       Xml(finding.where.line_text));
  } else {
    out << fmt::format("      <skipped message=\"{}\"/>\n", Xml(finding.reason));
  }
  out << "    </testcase>\n";
}

}  // namespace

nlohmann::json ToJson(const Report& report, const Contract& contract) {
  nlohmann::json json = {{"format", "culprit.inventory/1"}, {"version", CULPRIT_VERSION},
                         {"contract", contract.path},       {"files", report.files.size()},
                         {"lines", report.lines},           {"findings", report.findings}};
  json["not_checked"] = nlohmann::json::array();
  for (const NoSource& file : report.not_checked) {
    json["not_checked"].push_back({{"file", file.path}, {"reason", file.reason}});
  }
  json["owners"] = nlohmann::json::array();
  for (const FoundOwner& owner : FindOwners(contract, report.files)) {
    json["owners"].push_back(
        {{"file", owner.file}, {"field", owner.field}, {"line", owner.where.begin.line}});
  }
  json["balance"] = nlohmann::json::array();
  for (const BalanceRow& row : BalanceOf(report.files)) {
    json["balance"].push_back({{"file", row.file},
                               {"object", row.object},
                               {"created", row.created},
                               {"released", row.released}});
  }
  return json;
}

void WriteJunit(const Report& report, std::ostream& out) {
  size_t failures = 0, skipped = 0, clean = 0;
  std::vector<size_t> new_findings(AllRules().size());
  for (const Finding& finding : report.findings) {
    const bool is_new = finding.standing == Standing::kNew;
    failures += is_new;
    skipped += !is_new;
    new_findings[static_cast<size_t>(finding.rule)] += is_new;
  }
  clean = static_cast<size_t>(std::count(new_findings.begin(), new_findings.end(), 0u));
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  out << fmt::format(
      "  <testsuite name=\"culprit inventory\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" "
      "errors=\"0\">\n",
      report.findings.size() + clean, failures, skipped);
  for (const RuleInfo& rule : AllRules()) {
    if (new_findings[static_cast<size_t>(rule.id)] != 0) continue;
    out << fmt::format("    <testcase classname=\"inventory.{}\" name=\"no new findings\"/>\n",
                       rule.name);
  }
  for (const Finding& finding : report.findings) WriteCase(finding, out);
  out << "  </testsuite>\n</testsuites>\n";
}

void WriteGithub(const Report& report, std::ostream& out) {
  for (const Finding& finding : report.findings) {
    if (finding.standing != Standing::kNew) continue;
    const std::string_view command =
        finding.severity == Severity::kNote ? "notice" : ToString(finding.severity);
    out << fmt::format("::{} file={},line={},col={},endColumn={},title={}::{}\n", command,
                       GithubProperty(finding.where.path), finding.where.begin.line,
                       finding.where.begin.column, finding.where.end_column,
                       GithubProperty(InfoOf(finding.rule).name), GithubMessage(finding.message));
  }
}

}  // namespace culprit::inventory
