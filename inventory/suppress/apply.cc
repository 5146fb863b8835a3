// SPDX-License-Identifier: Apache-2.0
#include "inventory/suppress/apply.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/day.h"
#include "inventory/rules/file_view.h"

namespace culprit::inventory {
namespace {

bool Covers(const Suppression& suppression, const Finding& finding) {
  const auto& rules = suppression.rules;
  return std::find(rules.begin(), rules.end(), InfoOf(finding.rule).name) != rules.end();
}

// What is wrong with the suppression itself; empty when nothing is.
std::string Defect(const Suppression& suppression, const std::string& today) {
  for (const std::string& rule : suppression.rules) {
    if (!FindRule(rule)) return fmt::format("there is no rule '{}'", rule);
  }
  if (suppression.reason.empty()) return "a suppression must give a reason after a colon";
  if (suppression.until.empty()) return {};
  if (!IsDay(suppression.until))
    return fmt::format("'{}' is no day that exists; write one as 2027-01-31", suppression.until);
  return suppression.until < today
             ? fmt::format("this suppression expired on {}", suppression.until)
             : std::string();
}

Finding Complaint(const Contract& contract, Location where, std::string message) {
  Finding finding;
  finding.rule = RuleId::kUnusedSuppression;
  finding.severity = SeverityOf(contract, RuleId::kUnusedSuppression);
  finding.where = std::move(where);
  finding.message = std::move(message);
  return finding;
}

void ApplyInline(const Contract& contract, const Suppression& suppression, const std::string& today,
                 std::vector<Finding>* findings, std::vector<Finding>* complaints) {
  const std::string defect = Defect(suppression, today);
  if (!defect.empty()) {
    complaints->push_back(Complaint(contract, suppression.where, defect));
    return;
  }
  bool used = false;
  for (Finding& finding : *findings) {
    const bool here = finding.where.path == suppression.where.path &&
                      finding.where.begin.line == suppression.applies_to;
    if (!here || !Covers(suppression, finding)) continue;
    finding.standing = Standing::kSuppressed;
    finding.reason = suppression.reason;
    used = true;
  }
  if (used) return;
  Finding complaint =
      Complaint(contract, suppression.where, "this suppression suppresses nothing; remove it");
  complaint.fix = Fix{suppression.begin, suppression.end, "", "remove the suppression"};
  complaints->push_back(std::move(complaint));
}

void ApplyBaseline(const Contract& contract, const Baseline& baseline, const std::string& today,
                   std::vector<Finding>* findings, std::vector<Finding>* complaints) {
  for (const BaselineEntry& entry : baseline.entries) {
    const Location where{baseline.path, {entry.line, 1}, 2, ""};
    const auto finding = std::find_if(
        findings->begin(), findings->end(),
        [&](const Finding& candidate) { return candidate.fingerprint == entry.fingerprint; });
    if (finding == findings->end()) {
      complaints->push_back(
          Complaint(contract, where,
                    fmt::format("baseline entry {} ({} in {}) matches nothing any more; remove it",
                                entry.fingerprint, entry.rule, entry.path)));
    } else if (!entry.expires.empty() && entry.expires < today) {
      complaints->push_back(Complaint(
          contract, where,
          fmt::format("baseline entry {} expired on {}", entry.fingerprint, entry.expires)));
    } else if (finding->standing == Standing::kNew) {
      finding->standing = Standing::kBaselined;
      finding->reason = entry.reason;
    }
  }
}

}  // namespace

void ApplySuppressions(const Contract& contract, const std::vector<FileFacts>& files,
                       const Baseline& baseline, const std::string& today,
                       std::vector<Finding>* findings) {
  std::vector<Finding> complaints;
  for (const FileFacts& file : files) {
    for (const Suppression& suppression : file.suppressions)
      ApplyInline(contract, suppression, today, findings, &complaints);
  }
  ApplyBaseline(contract, baseline, today, findings, &complaints);
  if (SeverityOf(contract, RuleId::kUnusedSuppression) == Severity::kOff) return;
  findings->insert(findings->end(), complaints.begin(), complaints.end());
  SortAndFingerprint(findings);
}

}  // namespace culprit::inventory
