// SPDX-License-Identifier: Apache-2.0
#include "stress/command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "stress/probes/registry.h"
#include "stress/report/object_cost.h"
#include "stress/report/page.h"
#include "stress/report/report.h"
#include "stress/run/bare.h"
#include "stress/run/campaign.h"

namespace culprit::stress {
namespace {

constexpr char kDescription[] =
    "Looks for driver memory that grows.\n"
    "Each probe repeats a clean cycle and a control that loses one object a cycle on purpose, "
    "reads\n"
    "device and host resources in between, and says flat, leak or unsure.";

constexpr char kFooter[] =
    "Examples:\n"
    "  culprit stress --list\n"
    "  culprit stress module_load stream --cycles 5000\n"
    "  culprit stress --all --most-cycles 50000 --output stress.json\n"
    "  culprit stress extractor_cycle --bisect --plant 2\n"
    "  culprit stress --all --plot stress.html --costs costs.json\n"
    "  culprit stress --all --json | jq '.probes[] | {probe, verdict, reason}'\n"
    "\n"
    "Exit codes: 0 all flat, 1 a leak, 2 wrong usage, 3 unsure (the line says how many cycles), 4 "
    "a\n"
    "probe failed, crashed or hung, 77 nothing could run: no driver, no device (the reason is\n"
    "printed; --require-device makes it 4).";

// Part by which a control may differ from its recorded cost.
constexpr double kCostTolerance = 0.1;

struct Options {
  std::vector<std::string> probes;
  bool list = false;
  bool all = false;
  bool json = false;
  bool details = false;
  bool no_control = false;
  bool require_device = false;
  std::string output;
  std::string plot;
  std::string costs;
  std::string expected_costs;
  bool bisect = false;
  bool bare = false;
  bool leak = false;
  std::optional<size_t> plant;
  CampaignOptions campaign;
  std::vector<std::string> tolerances;
};

void Declare(CLI::App& app, Options& options) {
  app.footer(kFooter);
  app.add_option("probe", options.probes, "Probes to run, by name")->type_name("PROBE");
  app.add_flag("--list", options.list, "List the probes and stop");
  app.add_flag("--all", options.all, "Run every probe");
  app.add_option("--cycles", options.campaign.cycles, "Cycles of the clean loop")
      ->check(CLI::PositiveNumber);
  app.add_option("--control-cycles", options.campaign.control_cycles, "Cycles of the control")
      ->check(CLI::PositiveNumber);
  app.add_option("--readings", options.campaign.trial.readings,
                 "Readings of each loop, evenly spread over its cycles")
      ->check(CLI::Range(12, 1000))
      ->capture_default_str();
  app.add_option("--most-cycles", options.campaign.most_cycles,
                 "Run an unsure probe again with the cycles it asks for, up to this many")
      ->check(CLI::PositiveNumber);
  app.add_option("--confidence", options.campaign.assess.confidence,
                 "Two-sided confidence of the slopes' intervals")
      ->check(CLI::Range(0.5, 0.999999))
      ->capture_default_str();
  app.add_option("--tolerate", options.tolerances,
                 "RESOURCE=AMOUNT: growth per cycle that is accepted, for example heap=64");
  app.add_flag("--no-control", options.no_control, "Leave the leaking controls out");
  app.add_option("--device", options.campaign.trial.device, "CUDA ordinal of the device")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--port", options.campaign.trial.port,
                 "Library that the port probes run; the reference port by default")
      ->type_name("FILE");
  app.add_option("--driver", options.campaign.trial.driver, "Driver library")
      ->capture_default_str();
  app.add_option("--nvml", options.campaign.trial.nvml, "NVML library")->capture_default_str();
  app.add_option("--silence", options.campaign.trial.silence_seconds,
                 "Seconds without a reading after which a probe counts as hung")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--require-device", options.require_device,
               "Fail instead of skipping where nothing can run");
  app.add_flag("-v,--details", options.details, "Print every resource of every probe");
  app.add_flag("--json", options.json, "Print the report as JSON instead of a table");
  app.add_option("--output", options.output, "Also write the JSON report to this file")
      ->type_name("FILE");
  app.add_option("--plot", options.plot, "Write one HTML page with every series and fitted line")
      ->type_name("FILE");
  app.add_option("--costs", options.costs,
                 "Write what one lost object keeps, per resource, as JSON")
      ->type_name("FILE");
  app.add_option("--expect-costs", options.expected_costs,
                 "Fail unless the controls agree with this file of --costs within a tenth")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  CLI::Option* bisect =
      app.add_flag("--bisect", options.bisect,
                   "Instead of a verdict, name the guilty pair of calls in a cycle that leaks");
  app.add_option("--plant", options.plant,
                 "With --bisect: leave out the release of this pair, to see it found")
      ->type_name("PAIR")
      ->needs(bisect);
  CLI::Option* bare = app.add_flag("--bare", options.bare,
                                   "Only run the cycles, in this process and without readings, for "
                                   "another tool to look at")
                          ->excludes(bisect);
  app.add_flag("--leak", options.leak, "With --bare: run the control")->needs(bare);
}

// False, with a message, when a tolerance names no resource or no amount.
bool ReadTolerances(Options& options) {
  for (const std::string& text : options.tolerances) {
    const size_t equals = text.find('=');
    bool understood = false;
    for (const ResourceInfo& info : kResources) {
      if (equals == std::string::npos || text.substr(0, equals) != info.name) continue;
      char* end = nullptr;
      const double amount = std::strtod(text.c_str() + equals + 1, &end);
      understood = end != text.c_str() + equals + 1 && *end == '\0' && amount >= 0;
      options.campaign.assess.tolerance[static_cast<size_t>(info.resource)] = amount;
    }
    if (understood) continue;
    std::string names;
    for (const ResourceInfo& info : kResources) names += fmt::format(" {}", info.name);
    fmt::print(stderr, "--tolerate {}: expected RESOURCE=AMOUNT with a resource of:{}\n", text,
               names);
    return false;
  }
  return true;
}

bool ChooseProbes(const Options& options, std::vector<const ProbeInfo*>& chosen) {
  if (options.all) {
    const auto all = AllProbes();
    chosen.assign(all.begin(), all.end());
    return true;
  }
  for (const std::string& name : options.probes) {
    const ProbeInfo* probe = FindProbe(name);
    if (probe == nullptr) {
      fmt::print(stderr, "no probe is called '{}'; --list shows them\n", name);
      return false;
    }
    chosen.push_back(probe);
  }
  if (chosen.empty()) fmt::print(stderr, "name a probe, or use --all or --list (see --help)\n");
  return !chosen.empty();
}

void List() {
  for (const ProbeInfo* probe : AllProbes()) {
    fmt::print("{:<24} {}; the control loses {}\n", probe->name, probe->summary, probe->object);
  }
}

// The reference port of this build or installation: bin/ and lib/culprit/ports/ are siblings.
std::string ReferencePort() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path().parent_path() / "lib/culprit/ports/libculprit_reference.so").string();
}

// A line that rewrites itself; only where somebody watches.
ProgressSink TerminalProgress() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](std::string_view doing, int64_t cycle, int64_t cycles) {
    fmt::print(stderr, "\r\033[K{}: cycle {} of {}", doing, cycle, cycles);
    std::fflush(stderr);
  };
}

void ClearProgress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

bool WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.fail()) fmt::print(stderr, "{} cannot be written\n", path);
  return !file.fail();
}

// What is written beside the table. False when a file could not be written.
bool WriteFiles(const Options& options, const Report& report) {
  bool written = true;
  if (!options.output.empty()) written = WriteFile(options.output, ToJson(report)) && written;
  if (!options.plot.empty()) written = WriteFile(options.plot, ToPage(report)) && written;
  if (!options.costs.empty()) written = WriteFile(options.costs, ObjectCosts(report)) && written;
  return written;
}

// True when the controls cost what the file says.
bool MeetsExpectedCosts(const Options& options, const Report& report) {
  if (options.expected_costs.empty()) return true;
  std::ifstream file(options.expected_costs);
  const std::string recorded{std::istreambuf_iterator<char>(file), {}};
  const std::string lines =
      CompareObjectCosts(report, recorded, options.expected_costs, kCostTolerance);
  fmt::print(stderr, "{}", lines);
  return lines.empty();
}

int Bisect(const Options& options, std::span<const ProbeInfo* const> probes) {
  ExitCode code = kExitFlat;
  for (const ProbeInfo* probe : probes) {
    const BisectResult result =
        BisectProbe(*probe, options.campaign, options.plant, TerminalProgress());
    ClearProgress();
    if (result.whole.ending == Ending::kSkipped) {
      fmt::print(stderr, "SKIPPED {}: {}\n", probe->name, result.whole.reason);
      return options.require_device ? kExitFailed : kExitSkipped;
    }
    if (result.whole.ending != Ending::kDone) {
      fmt::print("{}: {}\n", probe->name, result.whole.reason);
      return kExitFailed;
    }
    fmt::print("{}: {} pairs of calls, {} runs, {:.1f} s\n", probe->name,
               result.whole.pair_names.size(), result.runs, result.seconds);
    if (result.groups.empty()) fmt::print("  nothing grows, nobody is guilty\n");
    for (const GuiltyGroup& group : result.groups) {
      code = kExitLeak;
      fmt::print("  guilty{}: {}\n", group.pairs.size() > 1 ? " together" : "",
                 fmt::join(group.pairs, " and "));
      for (const std::string& growth : group.growth) fmt::print("    {}\n", growth);
    }
  }
  return code;
}

int Bare(Options& options, std::span<const ProbeInfo* const> probes) {
  for (const ProbeInfo* probe : probes) {
    TrialPlan& plan = options.campaign.trial;
    plan.cycles = options.campaign.cycles > 0 ? options.campaign.cycles : probe->control_cycles;
    if (options.leak) plan.leak = 0;
    const Outcome ran = RunBare(*probe, plan);
    if (ran.ok()) continue;
    fmt::print(stderr, "{}{}: {}\n", ran.unsupported() ? "SKIPPED " : "", probe->name,
               ran.Describe());
    return ran.unsupported() && !options.require_device ? kExitSkipped : kExitFailed;
  }
  return kExitFlat;
}

int RunAll(const Options& options, std::span<const ProbeInfo* const> probes) {
  Report report;
  report.date = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  if (!options.json) fmt::print("{}", TableHeader());
  for (const ProbeInfo* probe : probes) {
    ProbeResult result = RunProbe(*probe, options.campaign, TerminalProgress());
    ClearProgress();
    if (report.machine.device.empty()) report.machine = result.clean.machine;
    if (!options.json) {
      fmt::print("{}", TableRow(result, options.details));
      std::fflush(stdout);
    }
    report.results.push_back(std::move(result));
    // After each probe: a run that is cut short leaves what it had.
    if (!WriteFiles(options, report)) return kExitFailed;
  }
  ExitCode code = ExitCodeOf(report.results);
  if (code == kExitSkipped) {
    fmt::print(stderr, "SKIPPED, nothing ran: {}\n", report.results.front().reason);
    if (options.require_device) code = kExitFailed;
  } else if (!options.json) {
    fmt::print("on {}, driver {}, CUDA {}\n", report.machine.device,
               report.machine.driver_version.empty() ? "of unknown version"
                                                     : report.machine.driver_version,
               report.machine.cuda_version);
  }
  if (options.json) fmt::print("{}", ToJson(report));
  if (code != kExitSkipped && !MeetsExpectedCosts(options, report)) return kExitFailed;
  return code;
}

}  // namespace

int RunStress(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, argc > 0 ? argv[0] : "stress");
  Declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFlat : kExitUsage;
  }
  if (options.list) {
    List();
    return kExitFlat;
  }
  options.campaign.control = !options.no_control;
  if (options.campaign.trial.port.empty()) options.campaign.trial.port = ReferencePort();
  std::vector<const ProbeInfo*> probes;
  if (!ReadTolerances(options) || !ChooseProbes(options, probes)) return kExitUsage;
  if (options.bare) return Bare(options, probes);
  return options.bisect ? Bisect(options, probes) : RunAll(options, probes);
}

}  // namespace culprit::stress
