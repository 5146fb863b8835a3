// SPDX-License-Identifier: Apache-2.0
//
// What a context guard costs at a close, and what binding the primary context afresh costs at every
// entry. Runs on whatever libcuda.so.1 the loader finds:
//
//   LD_LIBRARY_PATH=build/release/fakedriver/lib build/release/bin/teardown_benchmark
//   build/release/bin/teardown_benchmark                            # the driver that is installed
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>

#include "reference_impl/kernels/ptx.h"
#include "reference_impl/primary_context/primary_context.h"
#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/module.h"

namespace {

using culprit::reference::BindPrimaryContext;
using culprit::reference::Context;
using culprit::reference::Driver;
using culprit::reference::InContext;
using culprit::reference::Module;
using culprit::reference::Status;

void Demand(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "teardown_benchmark: %s\n", status.error().message.c_str());
  std::exit(1);
}

struct Device {
  std::shared_ptr<const Driver> driver;
  std::shared_ptr<Context> context;

  static Device& Get() {
    static Device device = [] {
      Device made;
      Demand(Driver::Load(&made.driver));
      Demand(Context::Retain(made.driver, &made.context));
      return made;
    }();
    return device;
  }
};

// Resident memory of this process, in KiB.
double ResidentKib() {
  std::ifstream file("/proc/self/statm");
  long total = 0;
  long resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * 4;
}

// Only the closing is timed, and loading is what takes the time: so the rounds are counted.
constexpr int64_t kUnloads = 1000;

template <typename CloseAll>
void UnloadModules(benchmark::State& state, const CloseAll& close_all) {
  Device& device = Device::Get();
  for (auto iteration : state) {
    std::deque<Module> modules(static_cast<size_t>(state.range(0)));
    for (Module& module : modules) {
      Demand(module.Open(device.context, culprit::reference::kernels::kFillPtx));
    }
    const auto start = std::chrono::steady_clock::now();
    close_all(*device.context, modules);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(elapsed.count());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void UnloadEachUnderItsGuard(benchmark::State& state) {
  UnloadModules(state, [](const Context&, std::deque<Module>& modules) {
    for (Module& module : modules) Demand(module.Close());
  });
}
BENCHMARK(UnloadEachUnderItsGuard)->Arg(1)->Arg(8)->Arg(24)->UseManualTime()->Iterations(kUnloads);

// The guards inside find the context current and push nothing.
void UnloadAllUnderOneGuard(benchmark::State& state) {
  UnloadModules(state, [](const Context& context, std::deque<Module>& modules) {
    Demand(InContext(context, [&] {
      for (Module& module : modules) Demand(module.Close());
      return Status();
    }));
  });
}
BENCHMARK(UnloadAllUnderOneGuard)->Arg(1)->Arg(8)->Arg(24)->UseManualTime()->Iterations(kUnloads);

void GuardAlone(benchmark::State& state) {
  Device& device = Device::Get();
  for (auto iteration : state) Demand(InContext(*device.context, [] { return Status(); }));
}
BENCHMARK(GuardAlone);

void GuardWhereTheContextIsCurrent(benchmark::State& state) {
  Device& device = Device::Get();
  Demand(InContext(*device.context, [&] {
    for (auto iteration : state) Demand(InContext(*device.context, [] { return Status(); }));
    return Status();
  }));
}
BENCHMARK(GuardWhereTheContextIsCurrent);

// Retains that are never given back: cost of one when there are few and when there are many, and
// what they leave in the process.
void RetainAfterSoMany(benchmark::State& state) {
  Device& device = Device::Get();
  CUcontext context = nullptr;
  for (int64_t i = 0; i < state.range(0); ++i) {
    // culprit: allow(local-handle): what retains cost that nobody gives back is the question.
    Demand(device.driver->cuDevicePrimaryCtxRetain(&context, 0));
  }
  const double before = ResidentKib();
  for (auto iteration : state) {
    // culprit: allow(local-handle): as above.
    Demand(device.driver->cuDevicePrimaryCtxRetain(&context, 0));
  }
  state.counters["KiB"] = ResidentKib() - before;
}
BENCHMARK(RetainAfterSoMany)->Arg(0)->Arg(1000000);

void BindWithAFreshRetain(benchmark::State& state) {
  Device& device = Device::Get();
  for (auto iteration : state) Demand(BindPrimaryContext(*device.driver));
}
BENCHMARK(BindWithAFreshRetain);

void BindWithAKeptHandle(benchmark::State& state) {
  Device& device = Device::Get();
  for (auto iteration : state) {
    Demand(device.driver->cuCtxSetCurrent(device.context->handle()));
  }
}
BENCHMARK(BindWithAKeptHandle);

}  // namespace
