// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/culprit/report/report.h"

namespace culprit::tools {
namespace {

using suites::Waiver;
using suites::WaiverList;

bool Selected(const nlohmann::json& selection, const char* kind, const std::string& name) {
  const auto names = selection.find(kind);
  return name.empty() || names == selection.end() || names->empty() ||
         std::find(names->begin(), names->end(), name) != names->end();
}

// False when the port lacks what the suite needs, so that no case of it was run.
bool Applies(const Report& report, const std::string& suite) {
  const auto is_of_suite = [&](const auto& one) { return one.suite == suite; };
  return std::any_of(report.groups.begin(), report.groups.end(), is_of_suite) ||
         std::none_of(report.skips.begin(), report.skips.end(), is_of_suite);
}

// Whether the run had anything that the entry could apply to. Which cases fail is known only when
// all of them were run, not from one shard.
bool WasAsked(const Report& report, const Waiver& waiver) {
  const nlohmann::json& selection = report.selection;
  const bool all_suites = selection.value("suites", nlohmann::json::array()).empty();
  const bool has_suite =
      std::any_of(report.suites.begin(), report.suites.end(),
                  [&](const SuiteIdentity& suite) { return suite.name == waiver.suite; });
  if (!all_suites && !has_suite) return false;
  if (!Selected(selection, "profiles", waiver.profile) ||
      !Selected(selection, "policies", waiver.policy)) {
    return false;
  }
  if (waiver.list == WaiverList::kNeverSupported) return true;
  return selection.value("shard", "1/1") == "1/1" && Applies(report, waiver.suite);
}

bool WasLeftOut(const Report& report, const Waiver& waiver) {
  const suites::Skip wanted = waiver.AsSkip();
  return std::any_of(report.skips.begin(), report.skips.end(), [&](const suites::Skip& skip) {
    return skip.suite == wanted.suite && skip.what == wanted.what && skip.reason == wanted.reason;
  });
}

std::string NameOfEntry(const Waiver& waiver) {
  const std::string what = waiver.What();
  return fmt::format("expectations, line {}: {} {}{}{}", waiver.where.line,
                     suites::NameOf(waiver.list), waiver.suite, what.empty() ? "" : ", ", what);
}

}  // namespace

void Expectations::Apply(const suites::GroupResult& group, suites::CaseResult* result) {
  if (result->passed()) return;
  std::vector<bool> used(file.waivers.size());
  for (suites::Finding& finding : result->findings) {
    if (!finding.IsError()) continue;
    for (size_t i = 0; i < file.waivers.size(); ++i) {
      const Waiver& waiver = file.waivers[i];
      if (waiver.list != WaiverList::kExpectedToFail || waiver.ExpiredOn(judged_on) ||
          !waiver.Covers(group.suite, group.scenario, group.settings) || !waiver.Covers(finding)) {
        continue;
      }
      finding.severity = kExpected;
      finding.details["expected_because"] = waiver.reason;
      used[i] = true;
      break;
    }
  }
  for (size_t i = 0; i < used.size(); ++i) uses[i] += used[i] ? 1 : 0;
}

std::vector<Waiver> Expectations::NeverSupported() const {
  std::vector<Waiver> list;
  for (const Waiver& waiver : file.waivers) {
    if (waiver.list == WaiverList::kNeverSupported && !waiver.ExpiredOn(judged_on)) {
      list.push_back(waiver);
    }
  }
  return list;
}

nlohmann::json ToJson(const Expectations& expectations) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Waiver& waiver : expectations.file.waivers) entries.push_back(suites::ToJson(waiver));
  return {{"sha256", expectations.file.sha256},
          {"judged_on", expectations.judged_on},
          {"entries", std::move(entries)}};
}

Expectations ExpectationsFromJson(const nlohmann::json& json) {
  suites::ExpectationsFile file;
  json.at("sha256").get_to(file.sha256);
  for (const nlohmann::json& entry : json.at("entries")) {
    file.waivers.push_back(suites::WaiverFromJson(entry));
  }
  return {std::move(file), json.at("judged_on").get<std::string>()};
}

std::vector<WaiverUse> UseOf(const Report& report) {
  std::vector<WaiverUse> list;
  if (!report.expectations) return list;
  const Expectations& expectations = *report.expectations;
  for (size_t i = 0; i < expectations.file.waivers.size(); ++i) {
    const Waiver& waiver = expectations.file.waivers[i];
    const uint64_t uses = waiver.list == WaiverList::kExpectedToFail
                              ? expectations.uses[i]
                              : uint64_t{WasLeftOut(report, waiver)};
    list.push_back(
        {&waiver, uses, WasAsked(report, waiver), waiver.ExpiredOn(expectations.judged_on)});
  }
  return list;
}

std::vector<std::string> ExpectationObjections(const Report& report) {
  std::vector<std::string> objections;
  for (const WaiverUse& use : UseOf(report)) {
    if (!use.asked) continue;
    if (use.expired) {
      objections.push_back(
          fmt::format("{}: expired on {}", NameOfEntry(*use.waiver), use.waiver->expires));
    } else if (use.unused() && use.waiver->list == WaiverList::kExpectedToFail) {
      objections.push_back(
          fmt::format("{}: nothing fails like that any more", NameOfEntry(*use.waiver)));
    } else if (use.unused()) {
      objections.push_back(
          fmt::format("{}: nothing was left out because of it", NameOfEntry(*use.waiver)));
    }
  }
  return objections;
}

}  // namespace culprit::tools
