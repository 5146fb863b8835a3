// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/program_sweep.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "tools/culprit/program_output.h"

namespace culprit::tools {
namespace {

constexpr const char* kNotFired = "fault.not_fired";

std::map<std::string, uint64_t> CountByRule(const ProgramRun& run, const std::string& severity) {
  std::map<std::string, uint64_t> counts;
  for (const nlohmann::json& report : run.reports) {
    for (const nlohmann::json& finding : report.at("findings")) {
      if (finding.value("severity", "") == severity) {
        counts[finding.value("rule", "")] += finding.value("count", uint64_t{1});
      }
    }
  }
  return counts;
}

std::vector<std::string> NewRules(const ProgramRun& undisturbed, const ProgramRun& faulted,
                                  const std::string& severity) {
  std::map<std::string, uint64_t> before = CountByRule(undisturbed, severity);
  std::vector<std::string> rules;
  for (const auto& [rule, count] : CountByRule(faulted, severity)) {
    if (rule != kNotFired && count > before[rule]) rules.push_back(rule);
  }
  return rules;
}

}  // namespace

std::vector<TracedSite> SitesOfTrace(std::istream& lines) {
  std::vector<TracedSite> sites;
  std::string text;
  for (uint64_t number = 1; std::getline(lines, text); ++number) {
    if (text.find('\0') != std::string::npos) break;  // what a program that crashed has left
    try {
      const auto line = nlohmann::json::parse(text);
      if (!line.contains("entry") || line.value("harness", false)) continue;
      sites.push_back({line.at("thread"), line.at("entry"), line.at("nth")});
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("trace, line {}: {}", number, error.what()));
    }
  }
  return sites;
}

std::string ProgramFault::Name() const {
  const std::string thread = site.thread == 1 ? "" : fmt::format(" of thread {}", site.thread);
  return fmt::format("{} #{}{}: {} {}, {}", site.entry, site.nth, thread, result, when, span);
}

nlohmann::json ProgramFault::Plan() const {
  nlohmann::json fault = {
      {"entry", site.entry}, {"thread", site.thread}, {"nth", site.nth}, {when, result}};
  fault[span == "sticky" ? "sticky" : "once"] = true;
  return {{"faults", nlohmann::json::array({fault})}};
}

const char* NameOf(Consequence consequence) {
  switch (consequence) {
    case Consequence::kCrashed:
      return "crashed";
    case Consequence::kHung:
      return "hung";
    case Consequence::kMisused:
      return "leaked or misused";
    case Consequence::kSwallowed:
      return "swallowed";
    case Consequence::kOtherOutput:
      return "other output";
    case Consequence::kReported:
      return "reported";
    case Consequence::kNotReached:
      return "not reached";
  }
  return "";
}

bool IsDefect(Consequence consequence) {
  return consequence == Consequence::kCrashed || consequence == Consequence::kHung ||
         consequence == Consequence::kMisused;
}

bool HidesTheError(Consequence consequence) {
  return consequence == Consequence::kSwallowed || consequence == Consequence::kOtherOutput;
}

std::string RemarksOn(const ProgramRun& undisturbed) {
  std::string text;
  if (undisturbed.unfinished != 0) {
    text += fmt::format(
        "\nLeaks and misuse were NOT JUDGED in the run without a fault: {} of its processes ended "
        "without letting the driver report, by a signal, _exit or exec.\n",
        undisturbed.unfinished);
  }
  if (const uint64_t errors = undisturbed.errors(); errors != 0) {
    text += fmt::format(
        "\nWithout a fault the driver already finds {} (see culprit run): only further ones "
        "count.\n",
        errors == 1 ? "1 error" : fmt::format("{} errors", errors));
  }
  return text;
}

std::vector<std::string> NewErrors(const ProgramRun& undisturbed, const ProgramRun& faulted) {
  return NewRules(undisturbed, faulted, "error");
}

std::vector<std::string> NewNotes(const ProgramRun& undisturbed, const ProgramRun& faulted) {
  return NewRules(undisturbed, faulted, "note");
}

Consequence Judge(const ProgramOutcome& undisturbed, const ProgramOutcome& faulted) {
  if (faulted.run.hung) return Consequence::kHung;
  if (faulted.run.signal != 0 && faulted.run.signal != undisturbed.run.signal) {
    return Consequence::kCrashed;
  }
  if (!NewErrors(undisturbed.run, faulted.run).empty()) return Consequence::kMisused;
  if (CountByRule(faulted.run, "error").contains(kNotFired)) return Consequence::kNotReached;
  if (faulted.run.code != undisturbed.run.code) return Consequence::kReported;
  const bool differs =
      !undisturbed.output_varies && FirstDifference(undisturbed.output, faulted.output);
  return differs ? Consequence::kOtherOutput : Consequence::kSwallowed;
}

}  // namespace culprit::tools
