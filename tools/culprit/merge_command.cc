// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/merge_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "input/input_error.h"
#include "suites/runner/shard.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& why) { throw InputError("merge: " + why); }

nlohmann::json WithoutShard(nlohmann::json selection) {
  selection.erase("shard");
  return selection;
}

// What every part must agree on about a scenario.
nlohmann::json PlanOf(const suites::GroupResult& group) {
  nlohmann::json plan = suites::ToJson(group);
  plan.erase("abandoned");
  return plan;
}

// The parts as one store; a case with a fault may be in one of them only.
class Merger {
 public:
  Merger(const std::vector<std::string>& folders, const std::string& into) : folders_(folders) {
    for (const std::string& folder : folders) {
      if (fs::weakly_canonical(folder) == fs::weakly_canonical(into)) {
        Refuse(folder + ": is also where the whole report would go");
      }
      parts_.push_back(ResultsStore::Open(ResultsPath(folder)));
      reports_.push_back(RunOf(folder));
    }
    whole_ = reports_.front();
    for (size_t i = 1; i < parts_.size(); ++i) DemandSameRun(i);
    whole_.selection["shard"] = "1/1";
  }

  void Into(ResultsStore* whole) const {
    for (const suites::Skip& skip : whole_.skips) whole->Add(skip);
    for (size_t k = 0; k < whole_.groups.size(); ++k) {
      whole->Add(GroupOfAll(k));
      for (size_t i = 0; i < parts_.size(); ++i) AddCases(i, k, whole);
    }
    StoreIdentity(whole_, whole);
  }

 private:
  // What the part that was opened last says of its run.
  Report RunOf(const std::string& folder) const {
    try {
      Report report = ReportWithoutCases(parts_.back());
      suites::ParseShard(report.selection.at("shard"));
      return report;
    } catch (const nlohmann::json::exception&) {
      Refuse(ResultsPath(folder) + ": is not as culprit writes it");
    }
  }

  suites::Shard ShardOf(size_t i) const {
    return suites::ParseShard(reports_[i].selection.at("shard"));
  }

  void DemandSameRun(size_t i) {
    Report* identity = &whole_;
    const Report& part = reports_[i];
    for (size_t other = 0; other < i; ++other) {
      if (ShardOf(i).count != ShardOf(other).count) {
        Refuse(fmt::format("{} is part {}, which does not go with {}, part {}", folders_[i],
                           part.selection.value("shard", ""), folders_[other],
                           reports_[other].selection.value("shard", "")));
      }
      if (ShardOf(i).index != ShardOf(other).index) continue;
      Refuse(folders_[i] + ": the same shard as " + folders_[other]);
    }
    if (part.version != identity->version) Refuse(folders_[i] + ": another version of culprit");
    if (part.identity != identity->identity) Refuse(folders_[i] + ": another port or driver");
    if (WithoutShard(part.selection) != WithoutShard(identity->selection) ||
        part.groups.size() != identity->groups.size()) {
      Refuse(folders_[i] + ": another selection of suites, profiles or policies");
    }
    DemandSameExpectations(i, identity);
    for (size_t k = 0; k < part.groups.size(); ++k) {
      if (PlanOf(part.groups[k]) == PlanOf(identity->groups[k])) continue;
      Refuse(fmt::format("{}: {}/{} is another plan", folders_[i], part.groups[k].suite,
                         part.groups[k].scenario));
    }
    if (identity->host_failure.empty()) identity->host_failure = part.host_failure;
    identity->sites.Add(part.sites);
  }

  // Entries are judged on the last day on which a part was run.
  void DemandSameExpectations(size_t i, Report* identity) const {
    const std::optional<Expectations>& part = reports_[i].expectations;
    std::optional<Expectations>& whole = identity->expectations;
    if (part.has_value() != whole.has_value() ||
        (part && part->file.sha256 != whole->file.sha256)) {
      Refuse(folders_[i] + ": another expectations file");
    }
    if (part) whole->judged_on = std::max(whole->judged_on, part->judged_on);
  }

  suites::GroupResult GroupOfAll(size_t k) const {
    suites::GroupResult group = reports_.front().groups[k];
    for (const Report& report : reports_) {
      if (group.abandoned.empty()) group.abandoned = report.groups[k].abandoned;
    }
    return group;
  }

  // The run without a sweep's faults is in every part; the first that failed is kept.
  void AddCases(size_t i, size_t k, ResultsStore* whole) const {
    const suites::GroupResult& group = reports_[i].groups[k];
    const suites::Shard shard = ShardOf(i);
    parts_[i].ForEachCase(group.number, [&](const suites::CaseResult& result, bool) {
      if (result.index == 0 && i != KeeperOfTheUndisturbed(k)) return;
      if (!shard.Owes(result.index)) {
        Refuse(fmt::format("{}: {}/{}: case {} is another part's", folders_[i], group.suite,
                           group.scenario, result.index));
      }
      whole->Add(group.number, result);
    });
  }

  size_t KeeperOfTheUndisturbed(size_t k) const {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].SaidToPass(reports_[i].groups[k].number, 0).value_or(true)) return i;
    }
    return 0;
  }

  const std::vector<std::string>& folders_;
  std::vector<ResultsStore> parts_;
  std::vector<Report> reports_;
  Report whole_;  // without its cases
};

void DemandNoGap(const Report& whole, const ResultsStore& store) {
  for (const suites::GroupResult& group : whole.groups) {
    if (!group.abandoned.empty()) continue;
    if (const auto gap = store.FirstGap(group, {})) {
      Refuse(fmt::format("{}/{} ({}): case {} of {} is missing", group.suite, group.scenario,
                         group.settings.Name(), *gap, group.planned));
    }
  }
}

}  // namespace

int RunMerge(const std::vector<std::string>& reports, const std::string& into) {
  const Merger merger(reports, into);
  ResultsStore store = CreateResults(into);
  merger.Into(&store);
  store.Finish();
  const ResultsStore raw = ResultsStore::Open(ResultsPath(into));
  const Report whole = ReportFrom(raw);
  DemandNoGap(whole, raw);
  WriteReportFiles(whole, {raw.Cases(), raw.Sha256()}, into);
  fmt::print("{}{}report: {}\n", TableOf(whole), VerdictText(whole), into);
  return whole.certified() ? kFine : kFindings;
}

}  // namespace culprit::tools
