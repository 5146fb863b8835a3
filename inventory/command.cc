// SPDX-License-Identifier: Apache-2.0
#include "inventory/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "input/command_line.h"
#include "input/day.h"
#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/draft.h"
#include "inventory/report/balance.h"
#include "inventory/report/machine.h"
#include "inventory/report/patch.h"
#include "inventory/report/printable.h"
#include "inventory/report/sarif.h"
#include "inventory/report/terminal.h"
#include "inventory/runs/coverage.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

enum ExitCode { kClean = 0, kFindings = 1, kBadInput = 2 };

constexpr char kExamples[] = R"(Examples:
  culprit inventory --init core/src > inventory.toml      draft a contract from what is there
  culprit inventory --config inventory.toml core/src      check; exit 1 on new errors
  culprit inventory core/src --sarif findings.sarif       for code scanning
  culprit inventory core/src --patch - | patch -p1        apply the mechanical fixes
  culprit inventory core/src --write-baseline base.json --reason "before the clean-up"
  culprit inventory core/src --baseline base.json         only what is new fails
  culprit inventory core/src --runs sites.json            teardown sites never run, failed, retried

Without --config, inventory.toml in the folder is used if it is there.

Exit codes:
  0  nothing new at the level of --fail-on
  1  new findings
  2  the command line, the contract or another input is wrong)";

struct Options {
  std::string root = ".";
  std::string config;
  std::string baseline, write_baseline, reason, expires;
  std::string cache;
  std::vector<std::string> runs;
  std::string sarif, junit, patch;
  std::string fail_on = "error";
  std::string today;
  bool json = false, github = false, init = false, list_rules = false, balance = false,
       show_suppressed = false, quiet = false;
};

void AddOptions(CLI::App *app, Options *options) {
  app->add_option("root", options->root, "Folder to check")->capture_default_str();
  app->add_option("-c,--config", options->config, "The contract");
  app->add_flag("--init", options->init, "Print a contract drafted from what is found, and stop");
  app->add_flag("--list-rules", options->list_rules, "Print the rules, and stop");
  app->add_flag("--json", options->json, "Print the report as JSON");
  app->add_flag("--github", options->github, "Print GitHub annotations");
  app->add_option("--sarif", options->sarif,
                  "Write SARIF 2.1.0 to this file, - for standard output");
  app->add_option("--junit", options->junit, "Write JUnit XML to this file, - for standard output");
  app->add_option("--patch", options->patch,
                  "Write the mechanical fixes as a patch, - for standard output");
  app->add_option("--baseline", options->baseline,
                  "Accepted findings; they are reported as suppressed");
  app->add_option("--write-baseline", options->write_baseline,
                  "Accept what is new now: write a baseline to this file");
  app->add_option("--reason", options->reason,
                  "Why the new entries of --write-baseline are accepted");
  app->add_option("--expires", options->expires,
                  "When they stop being accepted, for example 2027-01-31");
  app->add_option("--cache", options->cache, "Folder that keeps the results of unchanged files");
  app->add_option("--runs", options->runs,
                  "Call sites that culprit certify saw: print the teardown "
                  "sites of the sources "
                  "that it never ran, failed or retried; may be repeated, for "
                  "several ports")
      ->allow_extra_args(false);
  app->add_option("--fail-on", options->fail_on, "Lowest severity that makes the exit code 1")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}))
      ->capture_default_str();
  app->add_option("--today", options->today,
                  "The date that expiry is held against; today's by default");
  app->add_flag("--balance", options->balance,
                "Print creations and releases per file and kind of object");
  app->add_flag("--show-suppressed", options->show_suppressed, "Print suppressed findings, too");
  app->add_flag("-q,--quiet", options->quiet, "Print no findings");
  for (const char *name : {"root", "--config", "--sarif", "--junit", "--patch", "--baseline",
                           "--write-baseline", "--reason", "--expires", "--cache", "--runs",
                           "--today"}) {
    app->get_option(name)->check(NotEmpty());
  }
  app->footer(kExamples);
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

void WriteTo(const std::string &path, const std::function<void(std::ostream &)> &write) {
  if (path.empty()) return;
  if (path == "-") return write(std::cout);
  std::ofstream file(path, std::ios::binary);
  write(file);
  if (!file.flush()) throw InputError(path + ": cannot be written");
}

Contract ReadContract(const Options &options) {
  std::string path = options.config;
  if (path.empty()) {
    const auto beside = std::filesystem::path(options.root) / "inventory.toml";
    if (!std::filesystem::exists(beside)) return {};
    path = beside.lexically_normal().string();
  }
  return ParseContract(ReadFile(path), path);
}

CheckOptions ReadCheckOptions(const Options &options) {
  CheckOptions check;
  check.today = options.today.empty() ? Today() : options.today;
  check.cache_folder = options.cache;
  for (const std::string &date : {check.today, options.expires}) {
    if (!date.empty() && !IsDay(date))
      throw InputError(fmt::format("'{}' is no day that exists; write one as 2027-01-31", date));
  }
  if (!options.baseline.empty())
    check.baseline = ParseBaseline(ReadFile(options.baseline), options.baseline);
  return check;
}

int ListRules() {
  for (const RuleInfo &rule : AllRules())
    std::cout << fmt::format("{:<20} {:<8} {}\n", rule.name, ToString(rule.severity), rule.meaning);
  return kClean;
}

void PrintBalance(const Report &report) {
  std::cout << fmt::format("{:<50} {:<24} {:>7} {:>8}\n", "file", "object", "created", "released");
  for (const BalanceRow &row : BalanceOf(report.files)) {
    std::cout << fmt::format("{:<50} {:<24} {:>7} {:>8}\n", row.file, row.object, row.created,
                             row.released);
  }
}

std::string Text(const nlohmann::json &json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void PrintJson(const Report &report, const Contract &contract,
               const std::optional<Coverage> &coverage) {
  nlohmann::json json = ToJson(report, contract);
  if (coverage) json["teardowns"] = ToJson(*coverage);
  std::cout << Text(json);
}

// GitHub resolves paths against the repository, where the command is run, and
// not against the folder that was checked.
Report FromWorkingFolder(const Report &report, const Tree &tree, const std::string &root) {
  Report moved;
  moved.findings = report.findings;
  const std::filesystem::path folder = std::filesystem::proximate(root);
  if (folder == "." || *folder.begin() == "..") return moved;
  std::set<std::string> checked;
  for (const auto *files : {&tree.sources, &tree.build_files}) {
    for (const SourceFile &file : *files) checked.insert(file.path());
  }
  const auto prefix = [&](Location *where) {
    if (checked.contains(where->path)) where->path = (folder / where->path).generic_string();
  };
  for (Finding &finding : moved.findings) {
    prefix(&finding.where);
    for (Note &note : finding.notes) prefix(&note.where);
  }
  return moved;
}

void WriteReports(const Options &options, const Report &report, const Tree &tree,
                  const Contract &contract, const std::optional<Coverage> &coverage) {
  if (options.json) PrintJson(report, contract, coverage);
  const Report from_here = FromWorkingFolder(report, tree, options.root);
  if (options.github) WriteGithub(from_here, std::cout);
  WriteTo(options.sarif, [&](std::ostream &out) { out << Text(ToSarif(from_here)); });
  WriteTo(options.junit, [&](std::ostream &out) { WriteJunit(report, out); });
  WriteTo(options.patch, [&](std::ostream &out) { out << PatchOf(report, tree); });
  if (options.balance) PrintBalance(report);
  const bool stdout_taken = options.json || options.github || options.balance ||
                            options.sarif == "-" || options.junit == "-" || options.patch == "-";
  if (!stdout_taken && !options.quiet)
    WriteTerminal(report, {isatty(STDOUT_FILENO) != 0, options.show_suppressed}, std::cout);
  if (!stdout_taken && coverage) WriteCoverage(*coverage, std::cout);
}

int ExitCodeOf(const Options &options, const Report &report) {
  const auto threshold = ParseSeverity(options.fail_on);
  if (!threshold) return kClean;  // never
  const bool failed =
      std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding &finding) {
        return finding.standing == Standing::kNew && finding.severity >= *threshold;
      });
  return failed ? kFindings : kClean;
}

// On standard error, because a report may be on standard output.
void NameNoSources(const Tree &tree) {
  for (const NoSource &file : tree.no_sources) {
    std::cerr << fmt::format(
        "culprit inventory: {}: no source, and not checked: {}; name it in 'exclude'\n",
        Printable(file.path), file.reason);
  }
}

int Run(const Options &options) {
  if (options.list_rules) return ListRules();
  if (options.init) {
    const Tree tree = ReadTree(options.root, {});
    NameNoSources(tree);
    std::cout << WriteContract(DraftFor(tree));
    return kClean;
  }
  if (!options.write_baseline.empty() && options.reason.empty())
    throw InputError("--write-baseline needs --reason");
  const Contract contract = ReadContract(options);
  const CheckOptions check = ReadCheckOptions(options);
  const Tree tree = ReadTree(options.root, contract);
  NameNoSources(tree);
  if (tree.sources.empty())
    throw InputError(fmt::format("{}: no C, C++ or CUDA source was found, so nothing was checked",
                                 options.root));
  std::vector<RunSite> runs;
  for (const std::string &path : options.runs) {
    for (RunSite &site : ParseRunSites(ReadFile(path), path)) runs.push_back(std::move(site));
  }
  const Report report = CheckTree(tree, contract, check);
  std::optional<Coverage> coverage;
  if (!options.runs.empty()) coverage = CoverageOf(report.files, runs);
  WriteReports(options, report, tree, contract, coverage);
  if (options.write_baseline.empty()) return ExitCodeOf(options, report);
  WriteTo(options.write_baseline, [&](std::ostream &out) {
    out << WriteBaseline(report.findings, check.baseline, options.reason, options.expires);
  });
  return kClean;
}

}  // namespace

int RunInventory(int argc, char **argv) {
  CLI::App app(
      "Holds C, C++ and CUDA sources to a declared ownership "
      "contract, without building them.",
      "culprit inventory");
  Options options;
  AddOptions(&app, &options);
  try {
    app.parse(argc, argv);
    return Run(options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? kClean : kBadInput;
  } catch (const InputError &error) {
    std::cerr << "culprit inventory: " << error.what() << "\n";
    return kBadInput;
  }
}

}  // namespace culprit::inventory
