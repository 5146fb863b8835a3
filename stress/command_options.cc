// SPDX-License-Identifier: Apache-2.0
#include "stress/command_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "input/command_line.h"
#include "input/number.h"
#include "input/text_file.h"
#include "stress/report/report.h"

namespace culprit::stress {
namespace {

constexpr char kDescription[] =
    "Looks for driver memory that grows.\n"
    "Each probe repeats a clean cycle and a control that loses one object a cycle on purpose,\n"
    "reads device and host resources in between, and says flat, leak or unsure.";

constexpr char kFooter[] =
    "Examples:\n"
    "  culprit stress --list\n"
    "  culprit stress module_load stream --cycles 5000\n"
    "  culprit stress --all --most-cycles 50000 --output stress.json\n"
    "  culprit stress extractor_cycle --bisect --plant 2\n"
    "  culprit stress --all --plot stress.html --costs costs.json\n"
    "  culprit stress --from stress.json --confidence 0.99 --plot stress.html\n"
    "  culprit stress --all --json | jq '.probes[] | {probe, verdict, reason}'\n"
    "\n"
    "Exit codes: 0 all flat, 1 a leak, 2 wrong usage, 3 unsure (the line says how many cycles),\n"
    "4 a probe failed, crashed or hung, 77 nothing could run: no driver, no device (the reason is\n"
    "printed; --require-device makes it 4).";

constexpr uint64_t kMostCycles = uint64_t{1} << 40;
constexpr uint64_t kMostDevices = 1024;

// What was given as text and is read after parsing.
struct RawOptions {
  std::vector<std::string> watched;
  std::vector<std::string> tolerances;
  std::string known_growth;
};

void DeclareRun(CLI::App& app, CommandOptions& options, RawOptions& raw) {
  app.add_option("probe", options.probes, "Probes to run, by name")->type_name("PROBE");
  app.add_flag("--list", options.list, "List the probes and stop");
  app.add_flag("--all", options.all, "Run every probe");
  app.add_option("--cycles", options.campaign.cycles, "Cycles of the clean loop")
      ->check(WholeNumber(1, kMostCycles));
  app.add_option("--control-cycles", options.campaign.control_cycles, "Cycles of the control")
      ->check(WholeNumber(1, kMostCycles));
  app.add_option("--readings", options.campaign.trial.readings,
                 "Readings of each loop, evenly spread over its cycles")
      ->check(WholeNumber(12, 1000))
      ->capture_default_str();
  app.add_option("--most-cycles", options.campaign.most_cycles,
                 "Run an unsure probe again with the cycles it asks for, up to this many")
      ->check(WholeNumber(1, kMostCycles));
  app.add_option("--confidence", options.campaign.assess.confidence,
                 "Two-sided confidence of the slopes' intervals")
      ->check(NumberFrom(0.5, 0.999999))
      ->capture_default_str();
  app.add_option("--resource", raw.watched, "Judge only this resource (repeat for several)")
      ->type_name("RESOURCE")
      ->allow_extra_args(false);
  app.add_option("--tolerate", raw.tolerances,
                 "RESOURCE=AMOUNT: growth per cycle that is accepted, for example heap=64")
      ->type_name("AMOUNT")
      ->allow_extra_args(false);
  app.add_option("--known", raw.known_growth,
                 "File of growth that drivers are known for, each with a reason")
      ->type_name("FILE")
      ->check(ReadableFile());
  app.add_flag("!--no-control", options.campaign.control, "Leave the leaking controls out");
}

void DeclareMachine(CLI::App& app, CommandOptions& options) {
  app.add_option("--device", options.campaign.trial.device, "CUDA ordinal of the device")
      ->check(WholeNumber(0, kMostDevices))
      ->capture_default_str();
  app.add_option("--port", options.campaign.trial.port,
                 "Library that the port probes run; the reference port by default")
      ->type_name("FILE");
  app.add_option("--driver", options.campaign.trial.driver, "Driver library")
      ->capture_default_str();
  app.add_option("--nvml", options.campaign.trial.nvml, "NVML library")->capture_default_str();
  app.add_option("--silence", options.campaign.trial.silence_seconds,
                 "Seconds without a reading after which a probe counts as hung")
      ->check(NumberFrom(0.001, 24 * 3600))
      ->capture_default_str();
  app.add_flag("--require-device", options.require_device,
               "Fail instead of skipping where nothing can run");
}

void DeclareReport(CLI::App& app, CommandOptions& options) {
  app.add_option(
         "--from", options.from,
         "Judge the series of this --output file again instead of running (repeat: later files "
         "replace probes of earlier ones)")
      ->type_name("FILE")
      ->check(ReadableFile())
      ->allow_extra_args(false);
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
      ->check(ReadableFile());
}

void DeclareOtherModes(CLI::App& app, CommandOptions& options) {
  CLI::Option* bisect =
      app.add_flag("--bisect", options.bisect,
                   "Instead of a verdict, name the guilty pair of calls in a cycle that leaks");
  app.add_option("--plant", options.plant,
                 "With --bisect: leave out the release of this pair, to see it found")
      ->type_name("PAIR")
      ->check(WholeNumber())
      ->needs(bisect);
  CLI::Option* bare = app.add_flag("--bare", options.bare,
                                   "Only run the cycles, in this process and without readings, for "
                                   "another tool to look at")
                          ->excludes(bisect);
  app.add_flag("--leak", options.leak, "With --bare: run the control")->needs(bare);
}

// Null, with a message that lists the names, when `option` was given a wrong one.
const ResourceInfo* ResourceNamed(const std::string& name, const char* option) {
  const ResourceInfo* found = FindResource(name);
  if (found == nullptr) {
    std::string names;
    for (const ResourceInfo& info : kResources) names += fmt::format(" {}", info.name);
    fmt::print(stderr, "{}: no resource is called '{}'; there are{}\n", option, name, names);
  }
  return found;
}

bool ReadResources(const RawOptions& raw, CommandOptions& options) {
  for (const std::string& name : raw.watched) {
    const ResourceInfo* info = ResourceNamed(name, "--resource");
    if (info == nullptr) return false;
    options.campaign.assess.watched.push_back(info->resource);
  }
  for (const std::string& text : raw.tolerances) {
    const size_t equals = text.find('=');
    const ResourceInfo* info = ResourceNamed(text.substr(0, equals), "--tolerate");
    if (info == nullptr) return false;
    const auto value =
        NumberIn(equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1));
    if (!value || *value < 0) {
      fmt::print(stderr, "--tolerate {}: expected RESOURCE=AMOUNT with an amount from 0\n", text);
      return false;
    }
    options.campaign.assess.tolerance[static_cast<size_t>(info->resource)] = *value;
  }
  return true;
}

bool ReadKnown(const RawOptions& raw, CommandOptions& options) {
  if (raw.known_growth.empty()) return true;
  const std::string text = ReadTextFile(raw.known_growth);
  std::string error;
  if (ReadKnownGrowth(text, raw.known_growth, &options.campaign.assess.known, &error)) return true;
  fmt::print(stderr, "{}\n", error);
  return false;
}

// The reference port of this build or installation: bin/ and lib/culprit/ports/ are siblings.
std::string ReferencePort() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path().parent_path() / "lib/culprit/ports/libculprit_reference.so").string();
}

}  // namespace

std::optional<int> ParseCommandLine(int argc, char** argv, CommandOptions* options) {
  RawOptions raw;
  CLI::App app(kDescription, "culprit stress");
  app.footer(kFooter);
  DeclareRun(app, *options, raw);
  DeclareMachine(app, *options);
  DeclareReport(app, *options);
  DeclareOtherModes(app, *options);
  for (const char* name : {"--port", "--driver", "--nvml", "--output", "--plot", "--costs"}) {
    app.get_option(name)->check(NotEmpty());
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFlat : kExitUsage;
  }
  if (!ReadResources(raw, *options) || !ReadKnown(raw, *options)) return kExitUsage;
  if (options->campaign.trial.port.empty()) options->campaign.trial.port = ReferencePort();
  return std::nullopt;
}

}  // namespace culprit::stress
