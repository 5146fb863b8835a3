// SPDX-License-Identifier: Apache-2.0
#include "stress/command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "input/input_error.h"
#include "input/text_file.h"
#include "stress/command_options.h"
#include "stress/probes/registry.h"
#include "stress/report/object_cost.h"
#include "stress/report/page.h"
#include "stress/report/recorded.h"
#include "stress/report/report.h"
#include "stress/run/bare.h"
#include "stress/run/campaign.h"

namespace culprit::stress {
namespace {

// Part by which a control may differ from its recorded cost.
constexpr double kCostTolerance = 0.1;

bool ChooseProbes(const CommandOptions& options, std::vector<const ProbeInfo*>& chosen) {
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
bool WriteFiles(const CommandOptions& options, const Report& report) {
  bool written = true;
  if (!options.output.empty()) written = WriteFile(options.output, ToJson(report)) && written;
  if (!options.plot.empty()) written = WriteFile(options.plot, ToPage(report)) && written;
  if (!options.costs.empty()) written = WriteFile(options.costs, ObjectCosts(report)) && written;
  return written;
}

// True when the controls cost what the file says.
bool MeetsExpectedCosts(const CommandOptions& options, const Report& report) {
  if (options.expected_costs.empty()) return true;
  const std::string lines = CompareObjectCosts(report, ReadTextFile(options.expected_costs),
                                               options.expected_costs, kCostTolerance);
  fmt::print(stderr, "{}", lines);
  return lines.empty();
}

int Bisect(const CommandOptions& options, std::span<const ProbeInfo* const> probes) {
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

int Bare(CommandOptions& options, std::span<const ProbeInfo* const> probes) {
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

void PrintMachine(const Machine& machine) {
  fmt::print("on {}, driver {}, CUDA {}\n", machine.device,
             machine.driver_version.empty() ? "of unknown version" : machine.driver_version,
             machine.cuda_version);
}

// What a finished report comes to.
int Conclude(const CommandOptions& options, const Report& report) {
  ExitCode code = ExitCodeOf(report.results);
  if (code == kExitSkipped) {
    fmt::print(stderr, "SKIPPED, nothing ran: {}\n",
               report.results.empty() ? "no recorded probe is known" : report.results[0].reason);
    if (options.require_device) code = kExitFailed;
  } else if (!options.json) {
    PrintMachine(report.machine);
  }
  if (options.json) fmt::print("{}", ToJson(report));
  if (code != kExitSkipped && !MeetsExpectedCosts(options, report)) return kExitFailed;
  return code;
}

int RunAll(const CommandOptions& options, std::span<const ProbeInfo* const> probes) {
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
  return Conclude(options, report);
}

int JudgeRecorded(const CommandOptions& options) {
  Report report;
  for (const std::string& path : options.from) {
    std::string error;
    if (!ReadReport(ReadTextFile(path), path, options.campaign.assess, FindProbe, &report,
                    &error)) {
      fmt::print(stderr, "{}\n", error);
      return kExitUsage;
    }
  }
  if (!options.json) {
    fmt::print("{}", TableHeader());
    for (const ProbeResult& result : report.results) {
      fmt::print("{}", TableRow(result, options.details));
    }
  }
  if (!WriteFiles(options, report)) return kExitFailed;
  return Conclude(options, report);
}

}  // namespace

int RunStress(int argc, char** argv) {
  try {
    CommandOptions options;
    if (const std::optional<int> code = ParseCommandLine(argc, argv, &options)) return *code;
    if (options.list) {
      List();
      return kExitFlat;
    }
    if (!options.from.empty()) return JudgeRecorded(options);
    std::vector<const ProbeInfo*> probes;
    if (!ChooseProbes(options, probes)) return kExitUsage;
    if (options.bare) return Bare(options, probes);
    return options.bisect ? Bisect(options, probes) : RunAll(options, probes);
  } catch (const InputError& error) {
    fmt::print(stderr, "culprit stress: {}\n", error.what());
    return kExitUsage;
  }
}

}  // namespace culprit::stress
