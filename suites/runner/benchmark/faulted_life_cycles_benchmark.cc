// SPDX-License-Identifier: Apache-2.0
//
// Faulted life cycles a second, on two cores: the certificate's runner beside two ways that people
// build by hand. Every alternative takes motion over four frames of 32 by 32 samples through the
// same port and fails one driver call of each life cycle.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "suites/runner/benchmark/mock_driver.h"
#include "suites/runner/benchmark/motion_life_cycle.h"
#include "suites/runner/certification.h"
#include "suites/runner/suite_reader.h"

namespace culprit::suites {
namespace {

constexpr size_t kCores = 2;

struct Site {
  const char* entry;
  uint64_t nth;
};
// Some of the calls of the life cycle, from its beginning to its end.
constexpr Site kSites[] = {{"cuInit", 1},           {"cuDevicePrimaryCtxRetain", 1},
                           {"cuModuleLoadData", 1}, {"cuEventCreate", 2},
                           {"cuMemAlloc", 1},       {"cuLaunchKernel", 2},
                           {"cuEventRecord", 3},    {"cuStreamDestroy", 1},
                           {"cuModuleUnload", 1},   {"cuCtxPopCurrent", 4}};

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "faulted_life_cycles: %s\n", why.c_str());
  std::_Exit(2);
}

// Runs `work` in a child, which says how many life cycles it ran.
uint64_t InChild(const std::function<uint64_t()>& work) {
  int ends[2];
  if (pipe(ends) != 0) Die("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    uint64_t count = 0;
    try {
      count = work();
    } catch (const std::exception& error) {
      Die(error.what());
    }
    if (write(ends[1], &count, sizeof(count)) != sizeof(count)) Die("no parent");
    std::_Exit(0);
  }
  close(ends[1]);
  uint64_t count = 0;
  if (read(ends[0], &count, sizeof(count)) != sizeof(count)) Die("a child failed");
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return count;
}

// One iteration is one call of `run`, timed on the wall clock.
void Measure(benchmark::State& state, const std::function<uint64_t()>& run) {
  uint64_t life_cycles = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    life_cycles += run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(taken.count());
  }
  state.SetItemsProcessed(static_cast<int64_t>(life_cycles));
}

// All single faults of the life cycle, judged, as `culprit certify` does it.
uint64_t Certify(bool reuse_launches) {
  if (dlopen(BENCHMARK_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL) == nullptr) Die(dlerror());
  const DriverUnderTest driver = DriverUnderTest::Open();
  const PortLibrary port = PortLibrary::Load(BENCHMARK_PORT);
  CertificationPlan plan;
  plan.suites = {ReadSuite(BENCHMARK_SUITE)};
  plan.suites.front().matrix.extractors = {{"motion"}};
  plan.suites.front().profiles = {"r580"};
  plan.jobs = kCores;
  plan.reuse_launches = reuse_launches;
  uint64_t cases = 0;
  Certification(port, driver, plan)
      .Run({.on_case = [&](const CaseGroup&, const CaseResult&) { ++cases; },
            .on_group = [](const GroupResult&) {},
            .on_skip = [](const Skip& skip) { Die(skip.reason); },
            .on_progress = [](uint64_t, uint64_t) {}});
  return cases;
}

void SharedChildren(benchmark::State& state) {
  Measure(state, [&] { return InChild([&] { return Certify(state.range(0) != 0); }); });
}
BENCHMARK(SharedChildren)
    ->ArgName("reuse_launches")
    ->Arg(1)
    ->Arg(0)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

// A process for each fault, its plan in the environment, as many at once as there are cores.
void ProcessPerFault(benchmark::State& state) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string library_path =
      "LD_LIBRARY_PATH=" + std::filesystem::path(BENCHMARK_FAKE_DRIVER).parent_path().string();
  std::vector<std::string> plans;
  for (const Site& site : kSites) {
    plans.push_back(folder /
                    ("culprit_benchmark_" + std::to_string(getpid()) + "_" + site.entry + ".yaml"));
    std::ofstream(plans.back()) << "faults:\n  - {entry: " << site.entry << ", nth: " << site.nth
                                << ", before: CUDA_ERROR_UNKNOWN}\n";
  }
  Measure(state, [&] {
    size_t running = 0;
    for (const std::string& path : plans) {
      std::string plan = "CULPRIT_PLAN=" + path;
      std::string policy = "CULPRIT_POLICY=eager";
      std::string library = library_path;
      char* environment[] = {plan.data(), policy.data(), library.data(), nullptr};
      std::string program = BENCHMARK_ONE_LIFE_CYCLE;
      std::string port = BENCHMARK_PORT;
      char* arguments[] = {program.data(), port.data(), nullptr};
      pid_t child = 0;
      if (running == kCores) {
        wait(nullptr);
        --running;
      }
      if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environment) != 0) {
        Die("cannot start " + program);
      }
      ++running;
    }
    while (running-- != 0) wait(nullptr);
    return plans.size();
  });
  for (const std::string& plan : plans) std::filesystem::remove(plan);
}
BENCHMARK(ProcessPerFault)->UseManualTime()->Unit(benchmark::kMillisecond);

// A function table of GoogleMock in the driver's place; nothing is computed and nothing is audited.
uint64_t RunOnMock(uint64_t rounds) {
  void* mock = dlopen(BENCHMARK_MOCK_DRIVER, RTLD_NOW | RTLD_LOCAL);
  if (mock == nullptr) Die(dlerror());
  const auto begin = reinterpret_cast<decltype(&mock_begin)>(dlsym(mock, "mock_begin"));
  const auto end = reinterpret_cast<decltype(&mock_end)>(dlsym(mock, "mock_end"));
  const culprit_port* port = LoadPort(BENCHMARK_PORT);
  if (begin == nullptr || end == nullptr || port == nullptr) Die("no mock or no port");
  uint64_t life_cycles = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    for (const Site& site : kSites) {
      begin(site.entry, site.nth, 999);
      RunMotionLifeCycle(*port);
      end();
      ++life_cycles;
    }
  }
  return life_cycles;
}

void GoogleMockTable(benchmark::State& state) {
  constexpr uint64_t kRounds = 50;
  Measure(state, [&] {
    std::vector<pid_t> children;
    for (size_t i = 0; i < kCores; ++i) {
      const pid_t child = fork();
      if (child == 0) std::_Exit(RunOnMock(kRounds) != 0 ? 0 : 2);
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) Die("a child on the mock failed");
    }
    return kCores * kRounds * std::size(kSites);
  });
}
BENCHMARK(GoogleMockTable)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace culprit::suites
