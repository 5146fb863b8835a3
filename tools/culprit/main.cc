// SPDX-License-Identifier: Apache-2.0
//
// The culprit command. Each subcommand is a function of its own; here is what the command line
// means and, for all of them, what becomes of an exception: input that cannot be used ends with
// kUsage, anything else with kCannotRun.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "input/command_line.h"
#include "input/nearest_names.h"
#include "inventory/command.h"
#include "stress/command.h"
#include "suites/runner/policy.h"
#include "suites/runner/settings.h"
#include "suites/runner/shard.h"
#include "tools/culprit/certify_command.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/installation.h"
#include "tools/culprit/merge_command.h"
#include "tools/culprit/new_port_command.h"
#include "tools/culprit/replay_command.h"
#include "tools/culprit/rerun.h"
#include "tools/culprit/run_command.h"
#include "tools/culprit/standard_streams.h"
#include "tools/culprit/sweep_command.h"
#include "tools/culprit/trace_command.h"
#include "tools/culprit/verify_command.h"
#include "tools/culprit/where_command.h"

namespace culprit::tools {
namespace {

constexpr const char* kExamples = R"(
Examples:
  culprit certify ./libmyport.so                   every suite, report in ./report
  culprit replay report/replays/state_free-0001.json
  culprit run -- ./program --its arguments         an unmodified program on the fake driver
  culprit sweep -- ./program its arguments         each of its driver calls fails once
  culprit verify report/certificate.json --rerun 1%
  culprit new-port mine                            a port to fill in, with its CMake project
  culprit inventory --init                         a contract for the sources in this folder
  culprit stress --help                            probes for a machine with a GPU

`culprit COMMAND --help` tells what a command takes, with its own examples.

Exit codes: 0 certified, no errors; 1 not certified, errors found, failure reproduced;
  2 the command line or an input is wrong; 3 the harness could not do its work;
  4 not one driver call was seen, or none reported; 5 nothing of what was asked for applies to this port. `run` passes on the program's own exit code when it is not 0.
)";

constexpr const char* kCertifyExamples = R"(
Examples:
  culprit certify ./libmyport.so                   every suite, report in ./report
  culprit certify ./libmyport.so --suite state_free --profile strict
  culprit certify ./libmyport.so --suite fault_space --singles all --pairs
  culprit certify ./libmyport.so --expect expectations.yaml
  culprit certify ./libmyport.so --shard 1/4 --report part1
  culprit certify ./libmyport.so --real --suite state_free
)";

constexpr const char* kRunExamples = R"(
Examples:
  culprit run -- ./program --its arguments
  culprit run --plan faults.yaml -- ./program
  culprit run --trace calls.jsonl -- ./program
  culprit run --real -- ./program                  on this machine's own driver
)";

constexpr const char* kSweepExamples = R"(
Examples:
  culprit sweep -- ./program its arguments         one result for each call, before its effect, once
  culprit sweep --results documented --when before after --span once sticky -- ./program
  culprit replay sweep/replays/0007.json
)";

constexpr const char* kReplayExamples = R"(
Examples:
  culprit replay report/replays/state_free-0001.json
  culprit replay report/replays/state_free-0001.json --port ./build/libmyport.so
  culprit replay report/replays/threaded-0001.json --tries 200
  culprit replay sweep/replays/0007.json
)";

constexpr const char* kTraceExamples = R"(
Examples:
  culprit run --trace calls.jsonl -- ./program
  culprit trace calls.jsonl -o calls.json          to open in ui.perfetto.dev
)";

constexpr const char* kVerifyExamples = R"(
Examples:
  culprit verify report/certificate.json
  culprit verify report/certificate.json --rerun 1%
  culprit verify report/certificate.json --public-key key.pem
)";

constexpr const char* kMergeExamples = R"(
Examples:
  culprit certify ./libmyport.so --shard 1/2 --report part1
  culprit certify ./libmyport.so --shard 2/2 --report part2
  culprit merge part1 part2 --report whole
)";

constexpr const char* kNewPortExamples = R"(
Examples:
  culprit new-port mine
  cmake -S mine -B mine/build && cmake --build mine/build
)";

constexpr const char* kWhereExamples = R"(
Examples:
  culprit where --json                             where the fake libcuda.so.1 and the ports are
)";

struct CommandLine {
  CertifyOptions certify;
  RunOptions run;
  SweepOptions sweep;
  ReplayOptions replay;
  TraceOptions trace;
  VerifyOptions verify;
  std::string new_port;
  std::vector<std::string> shards;
  std::string merged = "report";
  bool json = false;
};

constexpr uint64_t kMostJobs = 1024;
constexpr uint64_t kMostMinimized = 1000000;
constexpr double kShortestTimeout = 0.001;
constexpr double kLongestTimeout = 24 * 3600;

template <typename Known>
std::vector<std::string> TextsOf(const Known& known) {
  return {known.begin(), known.end()};
}

void DemandFinding(const std::string& id) {
  if (id == "any" || suites::RuleOfFinding(id) != nullptr) return;
  throw InputError(fmt::format("'{}' is no finding; docs/findings lists them", id));
}

void AddTimeout(CLI::App* command, double& seconds, const char* what) {
  command->add_option("--timeout", seconds, what)
      ->check(NumberFrom(kShortestTimeout, kLongestTimeout));
}

void AddJobs(CLI::App* command, uint32_t& jobs, const char* what) {
  command->add_option("--jobs", jobs, what)->check(WholeNumber(0, kMostJobs));
}

// One name or several.
template <typename Names>
CLI::Option* AddProfile(CLI::App* command, Names& names, const char* what) {
  return command->add_option("--profile", names, what)
      ->check(CLI::IsMember(TextsOf(suites::kProfiles)));
}

template <typename Names>
CLI::Option* AddPolicy(CLI::App* command, Names& names, const char* what) {
  return command->add_option("--policy", names, what)
      ->check(CLI::IsMember(TextsOf(suites::kPolicies)));
}

void AddCertify(CLI::App& app, CertifyOptions& options) {
  CLI::App* command = app.add_subcommand("certify", "Run the suites on a port and write a report");
  command->footer(kCertifyExamples);
  command->add_option("port", options.port, "The port: a shared library (culprit_port.h)")
      ->required()
      ->check(NotEmpty());
  command
      ->add_option("--suite", options.suites, "Only this suite, by name or file; may be repeated")
      ->check(NotEmpty());
  CLI::Option* profile =
      AddProfile(command, options.profiles, "Only this profile; may be repeated");
  CLI::Option* policy = AddPolicy(command, options.policies, "Only this policy; may be repeated");
  command->add_flag("--real", options.real, "On this machine's own driver and device")
      ->excludes(profile)
      ->excludes(policy);
  command->add_option("--report", options.report, "Folder for the report")
      ->check(NotEmpty())
      ->capture_default_str();
  command->add_option("--shard", options.shard, "i/n: only this part of every sweep")
      ->check(TakenBy(suites::ParseShard));
  command->add_option("--seed", options.seed, "Seed of everything random")
      ->check(WholeNumber())
      ->capture_default_str();
  command
      ->add_option("--stop-at", options.stop_at, "End at the first finding with this id, or at any")
      ->check(TakenBy(DemandFinding));
  command
      ->add_option(
          "--singles", options.singles,
          "Faults of every sweep: as the suite plans them, or all: each call, each documented "
          "result, before and after the effect, once and sticky")
      ->check(CLI::IsMember({"plan", "all"}))
      ->capture_default_str();
  command->add_flag("--pairs", options.pairs,
                    "After the singles, each fault at each call that is made after a first one");
  command->add_flag("--compute-every-launch", options.compute_every_launch,
                    "Run kernels also when their inputs were seen before");
  command
      ->add_option("--expect", options.expectations,
                   "What is never supported and what is expected to fail (docs/expectations.md)")
      ->check(ReadableFile());
  command->add_option("--sign", options.signing_key, "Sign with this Ed25519 key (PEM file)")
      ->check(ReadableFile());
  command
      ->add_option("--minimize", options.minimize,
                   "Look for the smallest case of so many kinds of failure")
      ->check(WholeNumber(0, kMostMinimized))
      ->capture_default_str();
  AddJobs(command, options.jobs, "Children at once; 0: one a processor");
  command->add_flag("--json", options.json, "Print the certificate instead of the table");
}

void AddRun(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("run", "Run a program on the fake driver");
  command->footer(kRunExamples);
  command->add_option("program", options.program, "The program and its arguments, after --")
      ->required();
  CLI::Option* profile =
      AddProfile(command, options.profile, "Which driver it meets (default r580)");
  CLI::Option* policy =
      AddPolicy(command, options.policy, "When queued work happens (default timed)");
  command->add_flag("--real", options.real, "On this machine's own driver")
      ->excludes(profile)
      ->excludes(policy);
  command->add_option("--plan", options.plan, "A fault plan")->check(ReadableFile());
  command->add_option("--trace", options.trace, "Write a trace of every call here")
      ->check(NotEmpty());
  command->add_option("--report", options.report, "Keep the driver's report here, as JSON")
      ->check(NotEmpty());
  AddTimeout(command, options.limit_s, "Seconds after which it hangs and is killed");
  command->add_flag("--notes", options.notes, "Print notes as well");
  command->add_flag("--json", options.json, "Print findings as JSON on standard output");
}

void AddSweep(CLI::App& app, SweepOptions& options) {
  CLI::App* command = app.add_subcommand(
      "sweep", "Run a program once for each driver call, with that call failing");
  command->footer(kSweepExamples);
  command->add_option("program", options.program, "The program and its arguments, after --")
      ->required();
  AddProfile(command, options.profile, "Which driver it meets (default r580)");
  AddPolicy(command, options.policy, "When queued work happens")->capture_default_str();
  command
      ->add_option("--results", options.results,
                   "For each call: one result, or all that are documented for it")
      ->check(CLI::IsMember({"one", "documented"}))
      ->capture_default_str();
  command->add_option("--when", options.when, "Before or after the call's effect, or both")
      ->check(CLI::IsMember({"before", "after"}))
      ->capture_default_str();
  command->add_option("--span", options.span, "Once, or from then on (sticky), or both")
      ->check(CLI::IsMember({"once", "sticky"}))
      ->capture_default_str();
  AddTimeout(command, options.limit_s,
             "Seconds after which a run hangs (default: ten times the run without faults)");
  command->add_option("--report", options.folder, "Folder for replay files and sweep.json")
      ->check(NotEmpty())
      ->capture_default_str();
  AddJobs(command, options.jobs, "Programs at once; 0: one a processor");
  command->add_flag("--json", options.json, "Print sweep.json instead of the table");
}

void AddReplay(CLI::App& app, ReplayOptions& options) {
  CLI::App* command = app.add_subcommand("replay", "Run the case of a replay file again");
  command->footer(kReplayExamples);
  command->add_option("file", options.file, "A file of report/replays")
      ->required()
      ->check(NotEmpty());
  command->add_option("--port", options.port, "Another build of the port")->check(NotEmpty());
  command
      ->add_option("--tries", options.tries,
                   fmt::format("How often to run it until it fails as recorded (default: once, or "
                               "{} times where it has threads)",
                               kTriesWithThreads))
      ->check(WholeNumber(1, kMostTries));
  command->add_flag("--changed", options.changed,
                    "Also with a suite or on a port that can do something else than recorded");
  command->add_flag("--json", options.json, "Print the result as JSON");
}

void AddTrace(CLI::App& app, TraceOptions& options) {
  CLI::App* command = app.add_subcommand("trace", "Convert a trace for ui.perfetto.dev");
  command->footer(kTraceExamples);
  command->add_option("file", options.trace, "What `culprit run --trace` wrote")
      ->required()
      ->check(NotEmpty());
  command->add_option("-o,--output", options.output, "Where to (default: standard output)")
      ->check(NotEmpty());
}

void AddVerify(CLI::App& command, VerifyOptions& options) {
  command.footer(kVerifyExamples);
  command.add_option("certificate", options.certificate, "certificate.json of a report")
      ->required()
      ->check(NotEmpty());
  command
      .add_option("--public-key", options.public_key,
                  "Demand that it was signed by the owner of this Ed25519 key (PEM file)")
      ->check(ReadableFile());
  command.add_option("--rerun", options.rerun, "Run this share of the cases again: 1%, 100%")
      ->check(TakenBy(ParseShare));
  command.add_option("--seed", options.seed, "Which cases those are")
      ->check(WholeNumber())
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print the result as JSON");
}

// CLI11 would say that a subcommand is required, and not that this is none.
void DemandCommand(const CLI::App& app, const std::string& given) {
  if (given.starts_with('-')) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), given) != names.end()) return;
  const std::vector<std::string> near = NearestNames(given, names);
  throw InputError(
      fmt::format("there is no command '{}'{}; `culprit --help` lists them", given,
                  near.empty() ? "" : fmt::format(", did you mean {}", fmt::join(near, " or "))));
}

int Main(int argc, char** argv) {
  // These two have command lines of their own.
  if (argc > 1 && std::strcmp(argv[1], "inventory") == 0) {
    return inventory::RunInventory(argc - 1, argv + 1);
  }
  if (argc > 1 && std::strcmp(argv[1], "stress") == 0) return stress::RunStress(argc - 1, argv + 1);

  CLI::App app("Certifies code that drives CUDA through the driver API, without a GPU.", "culprit");
  CommandLine line;
  app.footer(kExamples);
  app.set_version_flag("--version", "culprit " CULPRIT_VERSION);
  app.require_subcommand(1);
  AddCertify(app, line.certify);
  AddRun(app, line.run);
  AddSweep(app, line.sweep);
  AddReplay(app, line.replay);
  AddTrace(app, line.trace);
  CLI::App* verify = app.add_subcommand("verify", "Check a certificate against its raw results");
  AddVerify(*verify, line.verify);
  CLI::App* merge =
      app.add_subcommand("merge", "Join the reports of the shards of one certification");
  merge->footer(kMergeExamples);
  merge->add_option("reports", line.shards, "Folders of the reports")
      ->required()
      ->check(NotEmpty());
  merge->add_option("--report", line.merged, "Folder for the whole report")
      ->check(NotEmpty())
      ->capture_default_str();
  CLI::App* new_port =
      app.add_subcommand("new-port", "Make a port that builds, with every function to fill in");
  new_port->footer(kNewPortExamples);
  new_port->add_option("name", line.new_port, "Folder to make, and name of the port")
      ->required()
      ->check(NotEmpty());
  CLI::App* where = app.add_subcommand("where", "Print where the parts of culprit are");
  where->footer(kWhereExamples);
  where->add_flag("--json", line.json, "Print as JSON");
  app.add_subcommand("inventory", "Check sources for raw teardown calls and module owners");
  app.add_subcommand("stress", "Probe a real device for driver memory that grows");
  if (argc > 1) DemandCommand(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kFine : kUsage;
  }

  if (app.got_subcommand("trace")) return RunTrace(line.trace);
  const Installation installation = Installation::Find();
  if (where->parsed()) return RunWhere(installation, line.json);
  if (verify->parsed()) return RunVerify(installation, line.verify);
  if (merge->parsed()) return RunMerge(line.shards, line.merged);
  if (new_port->parsed()) return RunNewPort(installation, line.new_port);
  if (installation.driver_folder.empty() || installation.host.empty()) {
    throw std::runtime_error(
        "the installation is incomplete; `culprit where` says what is missing");
  }
  if (app.got_subcommand("certify")) return RunCertify(installation, line.certify);
  if (app.got_subcommand("run")) return RunProgram(installation, line.run);
  if (app.got_subcommand("sweep")) return RunSweep(installation, line.sweep);
  return RunReplay(installation, line.replay);
}

}  // namespace
}  // namespace culprit::tools

int main(int argc, char** argv) {
  using namespace culprit::tools;
  OpenStandardStreams();
  try {
    return WithOutputWritten(Main(argc, argv));
  } catch (const culprit::InputError& error) {
    Complain(error.what());
    return kUsage;
  } catch (const std::exception& error) {
    Complain(error.what());
    return kCannotRun;
  }
}
