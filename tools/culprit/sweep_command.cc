// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/sweep_command.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "fakedriver/control/control.h"
#include "input/input_error.h"
#include "input/scratch_folder.h"
#include "input/text_file.h"
#include "suites/runner/driver_result.h"
#include "suites/runner/entry_table.h"
#include "suites/runner/sweep.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/program_output.h"
#include "tools/culprit/program_sweep.h"
#include "tools/culprit/progress.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kShortestLimit{10000};
constexpr milliseconds kLongestLimit = std::chrono::hours(24);
constexpr int kLimitFactor = 10;
constexpr size_t kMostDefectsPrinted = 12;
constexpr size_t kMostHiddenPrinted = 4;  // of each way to hide an error

struct Case {
  ProgramFault fault;
  Consequence consequence = Consequence::kReported;
  ProgramOutcome outcome;  // findings only of a defect
  std::vector<std::string> new_errors;
  std::vector<suites::Finding> notes;  // one of each rule of which it brought more
  LineThatDiffers output;              // where it said something else and the exit code is the same
  std::string replay;                  // of a defect or an error that the exit code hides
};

std::vector<std::string> RulesOf(const std::vector<suites::Finding>& findings) {
  std::vector<std::string> rules;
  for (const suites::Finding& finding : findings) rules.push_back(finding.id);
  return rules;
}

// What the fake documents of its entries, asked of the library itself.
suites::EntryTable EntriesOf(const Installation& installation) {
  const std::string path = installation.driver_folder + "/libcuda.so.1";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto control =
      library == nullptr
          ? nullptr
          : reinterpret_cast<culprit_control_fn>(dlsym(library, CULPRIT_CONTROL_SYMBOL));
  if (control == nullptr) throw std::runtime_error(path + ": is no fake driver");
  return suites::EntryTable::Read(nlohmann::json::parse(control()->api_table()));
}

class Sweeper {
 public:
  Sweeper(const Installation& installation, const SweepOptions& options)
      : installation_(installation), options_(options) {}

  void RunUndisturbed() {
    const std::string trace = scratch_ / "trace.jsonl";
    const milliseconds asked(static_cast<int64_t>(std::ceil(options_.limit_s * 1000)));
    undisturbed_ = Run({}, trace, asked);
    if (!undisturbed_.run.hung) {
      const ProgramOutcome again = Run({}, {}, asked);
      undisturbed_.output_varies = FirstDifference(undisturbed_.output, again.output).has_value();
      undisturbed_.run.hung = again.run.hung;
    }
    if (undisturbed_.run.hung) {
      throw InputError(options_.program[0] + ": did not end within --timeout even without a fault");
    }
    std::ifstream lines(trace);
    if (lines) sites_ = SitesOfTrace(lines);
    limit_ = options_.limit_s > 0
                 ? asked
                 : std::clamp(undisturbed_.run.took * kLimitFactor, kShortestLimit, kLongestLimit);
  }

  // Where the files will go.
  void DemandFolder() const {
    const fs::path folder = fs::path(options_.folder) / "replays";
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder)) {
      throw InputError(options_.folder + ": no folder for a report can be made there");
    }
  }

  void Plan(const suites::EntryTable& entries) {
    for (const TracedSite& site : sites_) {
      for (const std::string& result : ResultsOf(site.entry, entries)) {
        for (const std::string& when : options_.when) {
          for (const std::string& span : options_.span) {
            cases_.emplace_back().fault = {site, when, span, result};
          }
        }
      }
    }
  }

  void RunAll() {
    const size_t jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    Progress progress;
    std::mutex mutex;
    std::atomic<size_t> next{0};
    std::string failure;
    size_t done = 0;
    std::vector<std::thread> threads;
    for (size_t job = 0; job < jobs; ++job) {
      threads.emplace_back([&] {
        for (size_t i; (i = next.fetch_add(1)) < cases_.size();) {
          try {
            RunCase(cases_[i], i);
          } catch (const std::exception& error) {
            std::lock_guard lock(mutex);
            failure = error.what();
            next = cases_.size();
          }
          std::lock_guard lock(mutex);
          progress.Show(++done, cases_.size(), "faults");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (!failure.empty()) throw std::runtime_error(failure);
  }

  void WriteFiles() {
    std::error_code error;
    fs::remove_all(fs::path(options_.folder) / "replays", error);
    DemandFolder();
    size_t number = 0;
    for (Case& one : cases_) {
      if (!IsDefect(one.consequence) && !HidesTheError(one.consequence)) continue;
      one.replay = fmt::format("replays/{:04}.json", ++number);
      WriteTextFile(fs::path(options_.folder) / one.replay, ReplayOf(one).dump(2) + "\n");
    }
    WriteTextFile(fs::path(options_.folder) / "sweep.json", Text() + "\n");
  }

  nlohmann::json Json() const {
    nlohmann::json list = nlohmann::json::array();
    for (const Case& one : cases_) {
      list.push_back({{"fault", one.fault.Plan().at("faults")[0]},
                      {"consequence", NameOf(one.consequence)},
                      {"ended", one.outcome.run.How()},
                      {"new_errors", one.new_errors},
                      {"new_notes", RulesOf(one.notes)},
                      {"replay", one.replay}});
      if (one.consequence == Consequence::kOtherOutput) list.back()["output"] = OutputOf(one);
    }
    return {{"culprit_sweep", 1},
            {"program", options_.program},
            {"profile", options_.profile},
            {"policy", options_.policy},
            {"calls", sites_.size()},
            {"undisturbed", undisturbed_.run.How()},
            {"undisturbed_errors", undisturbed_.run.errors()},
            {"undisturbed_unfinished", undisturbed_.run.unfinished},
            {"output_varies", undisturbed_.output_varies},
            {"cases", std::move(list)}};
  }

  // A program may print anything, which need not be Unicode.
  std::string Text() const {
    return Json().dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void Print() const {
    fmt::print("{} {}; {} driver calls, {} faults\n\n{}", options_.program[0],
               undisturbed_.run.How(), sites_.size(), cases_.size(), Table());
    fmt::print("{}", RemarksOn(undisturbed_.run));
    size_t shown = 0;
    size_t defects = 0;
    for (const Case& one : cases_) {
      if (!IsDefect(one.consequence)) continue;
      if (++defects > kMostDefectsPrinted) continue;
      ++shown;
      fmt::print("\n  {}\n    the program {}\n", one.fault.Name(), one.outcome.run.How());
      PrintNewErrors(one);
      fmt::print("    replay       {}/{}\n", options_.folder, one.replay);
    }
    if (defects > shown) {
      fmt::print("\n  {} further defects are in {}/sweep.json\n", defects - shown, options_.folder);
    }
    if (undisturbed_.output_varies) {
      fmt::print(
          "\nThe program's output differs from run to run without a fault: it is not "
          "compared.\n");
    }
    PrintHidden(Consequence::kSwallowed,
                undisturbed_.output_varies
                    ? "errors were SWALLOWED: the program ended as without them"
                    : "errors were SWALLOWED: the program ended and printed as without them");
    PrintHidden(Consequence::kOtherOutput,
                "errors changed the OUTPUT and not the exit code: a message, or a wrong result");
    PrintNotes();
  }

  bool saw_calls() const { return !sites_.empty(); }
  bool has_defects() const {
    return std::any_of(cases_.begin(), cases_.end(),
                       [](const Case& one) { return IsDefect(one.consequence); });
  }

 private:
  ProgramOutcome Run(const std::string& plan, const std::string& trace, milliseconds limit) const {
    static std::atomic<uint64_t> number{0};
    const std::string output = scratch_ / fmt::format("output-{}", ++number);
    ProgramOutcome outcome;
    outcome.run =
        RunOnDriver(installation_, {.program = options_.program,
                                    .profile = options_.profile,
                                    .policy = options_.policy,
                                    .plan = plan,
                                    .trace = trace,
                                    .output = output,
                                    .limit = limit,
                                    .notice = plan.empty() ? kProgramNotice : milliseconds(0)});
    if (!outcome.run.refused.empty()) throw InputError(outcome.run.refused);
    outcome.output = ReadTextFile(output);
    std::error_code error;
    fs::remove(output, error);
    return outcome;
  }

  void RunCase(Case& one, size_t number) const {
    const std::string plan = scratch_ / fmt::format("plan-{}.json", number);
    WriteTextFile(plan, one.fault.Plan().dump());
    one.outcome = Run(plan, {}, limit_);
    one.consequence = Judge(undisturbed_, one.outcome);
    one.new_errors = NewErrors(undisturbed_.run, one.outcome.run);
    for (const std::string& rule : NewNotes(undisturbed_.run, one.outcome.run))
      one.notes.push_back(NewFinding(rule, one.outcome.run));
    if (one.consequence == Consequence::kOtherOutput) {
      one.output = FirstDifference(undisturbed_.output, one.outcome.output).value();
    }
    std::error_code error;
    fs::remove(plan, error);
    if (!IsDefect(one.consequence)) one.outcome.run.reports.clear();
    one.outcome.output.clear();
  }

  std::vector<std::string> ResultsOf(const std::string& entry,
                                     const suites::EntryTable& entries) const {
    const auto found = std::find(entries.names.begin(), entries.names.end(), entry);
    std::vector<int32_t> results;
    if (found != entries.names.end()) {
      const auto index = static_cast<uint32_t>(found - entries.names.begin());
      results =
          suites::ResultsOf(index,
                            options_.results == "documented" ? suites::Sweep::Results::kDocumented
                                                             : suites::Sweep::Results::kOne,
                            entries);
    }
    std::vector<std::string> names;
    for (const int32_t result : results) names.push_back(suites::DriverResultName(result));
    return names;
  }

  static nlohmann::json OutputOf(const Case& one) {
    return {{"without", one.output.undisturbed}, {"with", one.output.faulted}};
  }

  nlohmann::json ReplayOf(const Case& one) const {
    return {{"culprit_sweep_replay", 1},
            {"program", options_.program},
            {"folder", fs::current_path().string()},
            {"profile", options_.profile},
            {"policy", options_.policy},
            {"limit_ms", limit_.count()},
            {"plan", one.fault.Plan()},
            {"consequence", NameOf(one.consequence)},
            {"ended", one.outcome.run.How()},
            {"new_errors", one.new_errors}};
  }

  // A line for each entry that was called.
  std::string Table() const {
    std::map<std::string, std::map<Consequence, uint64_t>> counts;
    size_t width = 5;
    for (const Case& one : cases_) {
      ++counts[one.fault.site.entry][one.consequence];
      width = std::max(width, one.fault.site.entry.size());
    }
    std::string text = fmt::format("{:<{}}  {:>6} {:>8} {:>6} {:>8} {:>10} {:>7}\n", "entry", width,
                                   "faults", "crashed", "hung", "misused", "swallowed", "output");
    for (auto& [entry, count] : counts) {
      uint64_t all = 0;
      for (const auto& [consequence, number] : count) all += number;
      text += fmt::format("{:<{}}  {:>6} {:>8} {:>6} {:>8} {:>10} {:>7}\n", entry, width, all,
                          count[Consequence::kCrashed], count[Consequence::kHung],
                          count[Consequence::kMisused], count[Consequence::kSwallowed],
                          count[Consequence::kOtherOutput]);
    }
    return text;
  }

  void PrintNewErrors(const Case& one) const {
    const std::vector<std::string>& rules = one.new_errors;
    for (const suites::Finding& finding : ErrorsOf(one.outcome.run)) {
      if (std::find(rules.begin(), rules.end(), finding.id) == rules.end()) continue;
      fmt::print("{}", FindingText(finding));
    }
  }

  // They fail nothing, since the program may mean it; that they are there must not be missed.
  void PrintHidden(Consequence how, const char* what) const {
    size_t count = 0;
    for (const Case& one : cases_) count += one.consequence == how ? 1 : 0;
    if (count == 0) return;
    fmt::print("\n{} {} (no defects by themselves; look):\n", count, what);
    size_t shown = 0;
    for (const Case& one : cases_) {
      if (one.consequence != how) continue;
      if (++shown > kMostHiddenPrinted) {
        fmt::print("  {} more are in {}/sweep.json\n", count - kMostHiddenPrinted, options_.folder);
        return;
      }
      fmt::print("  {}: {}/{}\n", one.fault.Name(), options_.folder, one.replay);
      if (how == Consequence::kOtherOutput) {
        fmt::print("    printed      {}\n    in place of  {}\n", Line(one.output.faulted),
                   Line(one.output.undisturbed));
      }
    }
  }

  static std::string Line(const std::string& line) { return line.empty() ? "(nothing)" : line; }

  // One of the rule that was not there without the fault: on another object, if it says on which.
  suites::Finding NewFinding(const std::string& rule, const ProgramRun& run) const {
    std::set<std::string> old;
    for (const suites::Finding& finding : FindingsOf(undisturbed_.run)) {
      if (finding.id == rule) old.insert(finding.details.value("object", ""));
    }
    std::vector<suites::Finding> now = FindingsOf(run);
    std::erase_if(now, [&](const suites::Finding& finding) { return finding.id != rule; });
    const auto found = std::find_if(now.begin(), now.end(), [&](const suites::Finding& finding) {
      return !old.contains(finding.details.value("object", ""));
    });
    return found != now.end() ? *found : now.front();
  }

  void PrintNotes() const {
    struct Seen {
      uint64_t runs = 0;
      std::string fault;
      const suites::Finding* example = nullptr;
    };
    std::map<std::string, Seen> notes;
    for (const Case& one : cases_) {
      for (const suites::Finding& note : one.notes) {
        Seen& seen = notes[note.id];
        if (++seen.runs == 1) seen = {1, one.fault.Name(), &note};
      }
    }
    if (!notes.empty()) fmt::print("\nnotes that only failing calls brought, no defects:\n");
    for (const auto& [rule, seen] : notes) {
      fmt::print("  {} in {}, first under {}\n{}", rule,
                 seen.runs == 1 ? "1 run" : fmt::format("{} runs", seen.runs), seen.fault,
                 FindingText(*seen.example));
    }
  }

  const Installation& installation_;
  const SweepOptions& options_;
  ScratchFolder scratch_;
  ProgramOutcome undisturbed_;
  milliseconds limit_{0};
  std::vector<TracedSite> sites_;
  std::vector<Case> cases_;
};

}  // namespace

int RunSweep(const Installation& installation, const SweepOptions& options) {
  Sweeper sweeper(installation, options);
  sweeper.RunUndisturbed();
  if (!sweeper.saw_calls()) {
    fmt::print(stderr, "culprit: {} made not one driver call, so there is nothing to fail\n",
               options.program[0]);
    return kNothingProved;
  }
  sweeper.DemandFolder();
  sweeper.Plan(EntriesOf(installation));
  sweeper.RunAll();
  sweeper.WriteFiles();
  if (options.json) {
    fmt::print("{}\n", sweeper.Text());
  } else {
    sweeper.Print();
  }
  return sweeper.has_defects() ? kFindings : kFine;
}

}  // namespace culprit::tools
