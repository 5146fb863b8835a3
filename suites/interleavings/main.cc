// SPDX-License-Identifier: Apache-2.0
//
// culprit-interleave: runs a threaded life cycle of a port under many orders of its threads. The
// library path that puts the fake under the port must be set before a process starts, so it starts
// itself once more.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "input/command_line.h"
#include "suites/interleavings/exploration.h"
#include "suites/interleavings/schedule.h"
#include "suites/runner/driver_entry.h"

namespace culprit::interleavings {
namespace {

namespace fs = std::filesystem;

enum ExitCode { kFine = 0, kFindings = 1, kUsage = 2, kCannotRun = 3 };

constexpr uint64_t kMostFrames = 100000;
constexpr uint64_t kMostSamples = 16384;
constexpr uint64_t kMostPreemptions = 1000000;

struct Options {
  ExplorationPlan plan;
  std::string strategy = "dfs";
  std::string fault;  // of a run with a schedule
  bool json = false;
};

void Declare(CLI::App& app, Options& options) {
  ExplorationPlan& plan = options.plan;
  plan.settings.threads = 2;
  app.add_option("port", plan.port, "The port: a shared library")->required();
  app.add_option("--extractor", plan.settings.extractors, "Used by the session; may be repeated")
      ->required();
  app.add_option("--threads", plan.settings.threads, "Of the session")
      ->check(WholeNumber(0, suites::kMostThreads))
      ->capture_default_str();
  app.add_option("--frames", plan.frames, "Of a pattern")
      ->check(WholeNumber(1, kMostFrames))
      ->capture_default_str();
  app.add_option("--width", plan.width, "Of a frame")
      ->check(WholeNumber(1, kMostSamples))
      ->capture_default_str();
  app.add_option("--height", plan.height, "Of a frame")
      ->check(WholeNumber(1, kMostSamples))
      ->capture_default_str();
  app.add_option("--profile", plan.settings.profile, "Which driver it meets")
      ->check(CLI::IsMember(
          std::vector<std::string>(suites::kProfiles.begin(), suites::kProfiles.end())))
      ->capture_default_str();
  app.add_option("--strategy", options.strategy, "Depth first, probabilistic, or random")
      ->check(CLI::IsMember({"dfs", "pct", "random"}))
      ->capture_default_str();
  app.add_option("--preemptions", plan.preemptions, "At most, depth first")
      ->check(WholeNumber(0, kMostPreemptions))
      ->capture_default_str();
  app.add_option("--depth", plan.depth, "Of the bugs looked for, probabilistic")
      ->check(WholeNumber(1, kMostPreemptions))
      ->capture_default_str();
  app.add_option("--seed", plan.seed, "Of what is drawn")
      ->check(WholeNumber())
      ->capture_default_str();
  app.add_option("--runs", plan.runs, "At most; with --faults, for each fault")
      ->check(WholeNumber(1))
      ->capture_default_str();
  app.add_flag("--faults", plan.faults, "Let each driver call fail in turn as well");
  app.add_option("--schedule", plan.schedule, "Only this one, as a failure printed it");
  app.add_option("--fault", options.fault, "With --schedule: the fault, as printed");
  app.add_flag("--json", options.json, "Print the result as JSON");
}

// Throws InputError.
void Complete(Options& options) {
  ExplorationPlan& plan = options.plan;
  suites::DemandPortFile(plan.port);
  plan.port = fs::absolute(plan.port);
  plan.settings.seed = plan.seed;
  plan.strategy = *StrategyKindOf(options.strategy);
  if (plan.schedule.empty()) return;
  Schedule::Parse(plan.schedule);
  plan.strategy = StrategyKind::kFixed;
  if (!options.fault.empty()) {
    const suites::Fault fault = suites::FaultFromCompactText(options.fault);
    if (!suites::IsDriverEntry(fault.entry)) {
      throw InputError(fmt::format("--fault: the driver has no entry '{}'", fault.entry));
    }
    plan.fixed_faults.push_back(fault);
  }
}

// Starts this program again with the fake's folder first in the library path. Returns when it is
// there already, or with the reason why it cannot.
std::string UnderTheFake(char** argv) {
  constexpr const char* kDone = "CULPRIT_INTERLEAVE_UNDER_FAKE";
  if (getenv(kDone) != nullptr) return {};
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const fs::path prefix = self.parent_path().parent_path();
  for (const char* place : {"fakedriver/lib", "lib/culprit/fakedriver"}) {
    if (!fs::exists(prefix / place / "libcuda.so.1")) continue;
    const char* already = getenv("LD_LIBRARY_PATH");
    const std::string path =
        (prefix / place).string() + (already != nullptr ? std::string(":") + already : "");
    setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    setenv(kDone, "1", 1);
    execv(self.c_str(), argv);
    return "it cannot be started again";
  }
  return "there is no fake driver in " + prefix.string();
}

std::string Named(const ExplorationPlan& plan) {
  switch (plan.strategy) {
    case StrategyKind::kDepthFirst:
      return fmt::format("depth first, {} preemptions", plan.preemptions);
    case StrategyKind::kProbabilistic:
      return fmt::format("probabilistic, depth {}, seed {}", plan.depth, plan.seed);
    case StrategyKind::kRandom:
      return fmt::format("random, seed {}", plan.seed);
    case StrategyKind::kFixed:
      return "the given schedule";
  }
  return {};
}

std::string Command(const ExplorationPlan& plan, const Explored& explored) {
  std::string command = "culprit-interleave " + plan.port;
  for (const std::string& name : plan.settings.extractors) command += " --extractor " + name;
  command += fmt::format(" --threads {} --frames {} --width {} --height {} --profile {}",
                         plan.settings.threads, plan.frames, plan.width, plan.height,
                         plan.settings.profile);
  for (const suites::Fault& fault : explored.failed->faults) {
    command += fmt::format(" --fault '{}'", suites::CompactText(fault));
  }
  return command + fmt::format(" --schedule '{}'", explored.schedule);
}

void Print(const ExplorationPlan& plan, const Explored& explored) {
  fmt::print("{}\n  {} interleavings of {} threads", Named(plan), explored.runs, explored.threads);
  if (explored.faults != 0) fmt::print(", with {} faults in turn", explored.faults);
  fmt::print("; up to {} points, {} of them with a choice\n", explored.points, explored.decisions);
  if (!explored.failed) {
    fmt::print("  the bits of the serial run every time, no deadlock, no finding{}\n",
               explored.exhausted ? fmt::format(": exhaustive within {} preemptions and {} frames",
                                                plan.preemptions, plan.frames)
                                  : "");
    return;
  }
  fmt::print("failed: {}\n", explored.failed->Name());
  for (const suites::Finding& finding : explored.failed->findings) {
    fmt::print("  {} [{}] {}{}\n", finding.severity, finding.id, finding.message,
               finding.step.empty() ? "" : ", during " + finding.step);
  }
  fmt::print("  again: {}\n", Command(plan, explored));
}

int Main(int argc, char** argv) {
  CLI::App app("Runs a threaded life cycle under every order in which its threads take turns.",
               "culprit-interleave");
  Options options;
  Declare(app, options);
  try {
    app.parse(argc, argv);
    Complete(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFine : kUsage;
  } catch (const InputError& error) {
    fmt::print(stderr, "culprit-interleave: {}\n", error.what());
    return kUsage;
  }
  try {
    if (const std::string why_not = UnderTheFake(argv); !why_not.empty()) {
      throw std::runtime_error(why_not);
    }
    const suites::DriverUnderTest driver = suites::DriverUnderTest::Open();
    const suites::PortLibrary port = suites::PortLibrary::Load(options.plan.port);
    const Explored explored = Explore(port, driver, options.plan);
    if (options.json) {
      fmt::print("{}\n", ToJson(explored).dump(2));
    } else {
      Print(options.plan, explored);
    }
    return explored.failed ? kFindings : kFine;
  } catch (const InputError& error) {
    fmt::print(stderr, "culprit-interleave: {}\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit-interleave: {}\n", error.what());
    return kCannotRun;
  }
}

}  // namespace
}  // namespace culprit::interleavings

int main(int argc, char** argv) { return culprit::interleavings::Main(argc, argv); }
