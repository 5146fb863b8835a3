// SPDX-License-Identifier: Apache-2.0
//
// Driver calls of one close of a port, pushes and pops among them, and its time. The driver must be
// one that counts: the fake, or the interposer in front of a vendor's.
//
//   LD_LIBRARY_PATH=build/release/fakedriver/lib build/release/bin/close_cost_benchmark
//
// CULPRIT_COST_PORT names another port than the reference.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "suites/runner/clip.h"
#include "suites/runner/driver_under_test.h"
#include "suites/runner/port_library.h"

namespace culprit::suites {
namespace {

const PortLibrary& Port() {
  static const PortLibrary port = [] {
    const char* other = std::getenv("CULPRIT_COST_PORT");
    return PortLibrary::Load(other != nullptr ? other : CULPRIT_REFERENCE_PORT);
  }();
  return port;
}

const DriverUnderTest& TheDriver() {
  static const DriverUnderTest driver = DriverUnderTest::Open();
  return driver;
}

void Demand(int returned, const char* step, const culprit_status& status) {
  if (returned == 0) return;
  std::fprintf(stderr, "close_cost_benchmark: %s: %s\n", step, status.message);
  std::exit(1);
}

culprit_status EmptyStatus() {
  culprit_status status{};
  status.size = sizeof status;
  return status;
}

// A life cycle up to its close.
struct Cycle {
  culprit_state* state = nullptr;
  culprit_session* session = nullptr;
  culprit_status status = EmptyStatus();

  Cycle(const Clip& clip, const std::vector<std::string>& extractors) {
    const culprit_port& port = Port().port();
    Demand(port.state_init(nullptr, &state, &status), "state_init", status);
    const ClipShape& shape = clip.shape();
    const culprit_config config{sizeof config, shape.width,  shape.height,
                                shape.bits,    shape.format, 0};
    Demand(port.open(&config, &session, &status), "open", status);
    for (const std::string& name : extractors) {
      Demand(port.use_extractor(session, name.c_str(), nullptr, 0, &status), "use", status);
    }
    Demand(port.import_state(session, state, &status), "import", status);
    for (uint32_t i = 0; i < shape.frames; ++i) {
      const culprit_frame reference = clip.Reference(i);
      const culprit_frame distorted = clip.Distorted(i);
      Demand(port.submit(session, &reference, &distorted, i, &status), "submit", status);
    }
    Demand(port.flush(session, &status), "flush", status);
  }
  void Close() { Demand(Port().port().close(&session, &status), "close", status); }
  void FreeState() { Demand(Port().port().state_free(&state, &status), "state_free", status); }
};

constexpr FrameSize kUsualFrame{32, 32};

// That every one of the extractors accepts.
FrameSize FrameFor(const std::vector<std::string>& extractors) {
  FrameSize frame = kUsualFrame;
  for (const std::string& name : extractors) {
    const FrameSize smallest = Port().SmallestFrame(name);
    frame = {std::max(frame.width, smallest.width), std::max(frame.height, smallest.height)};
  }
  return frame;
}

void CloseOf(benchmark::State& state, const std::vector<std::string>& extractors) {
  const culprit_control_table& control = TheDriver().control();
  const FrameSize frame = FrameFor(extractors);
  const Clip clip = Clip::Pattern(frame.width, frame.height, 2, 8);
  const auto calls_of = [&](const char* entry) {
    return static_cast<double>(control.calls_of(entry));
  };
  double pushes = 0;
  double pops = 0;
  double calls = 0;
  for (auto iteration : state) {
    Cycle cycle(clip, extractors);
    pushes -= calls_of("cuCtxPushCurrent_v2");
    pops -= calls_of("cuCtxPopCurrent_v2");
    calls -= static_cast<double>(control.calls());
    const auto start = std::chrono::steady_clock::now();
    cycle.Close();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(elapsed.count());
    pushes += calls_of("cuCtxPushCurrent_v2");
    pops += calls_of("cuCtxPopCurrent_v2");
    calls += static_cast<double>(control.calls());
    cycle.FreeState();
  }
  const auto closes = static_cast<double>(state.iterations());
  state.counters["pushes"] = pushes / closes;
  state.counters["pops"] = pops / closes;
  state.counters["calls"] = calls / closes;
}

void Register() {
  const std::vector<std::string> gpu = Port().GpuExtractors();
  for (const std::string& name : gpu) {
    benchmark::RegisterBenchmark(("Close/" + name).c_str(),
                                 [name](benchmark::State& state) { CloseOf(state, {name}); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark(
      "Close/together",
      [](benchmark::State& state) { CloseOf(state, Port().GpuExtractorsTogether(kUsualFrame)); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace culprit::suites

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  try {
    culprit::suites::TheDriver();
    culprit::suites::Register();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "close_cost_benchmark: %s\n", failure.what());
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
}
