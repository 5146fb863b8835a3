// SPDX-License-Identifier: Apache-2.0
//
// Lane instructions a second on one core, checks on, and the time to load a large module.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "fakedriver/exec/speed_kernels.h"
#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

// One kernel on the machine, its buffers made once.
class OnMachine {
 public:
  explicit OnMachine(SpeedKernel kernel) : kernel_(kernel) {
    device_.LoadFile("speed.sm80.ptx");
    const uint64_t a = device_.memory.Upload(SpeedPicture(1));
    const uint64_t b = device_.memory.Upload(SpeedPicture(2));
    const uint64_t words = device_.memory.Allocate(kSpeedWidth * kSpeedHeight * 4);
    const uint64_t before = device_.memory.Allocate(kSpeedWidth * kSpeedHeight * 2);
    const uint64_t sum = device_.memory.Allocate(8);
    switch (kernel) {
      case SpeedKernel::kHash:
        arguments_ = testing::Pack(words, kHashRounds);
        break;
      case SpeedKernel::kMotion:
        arguments_ = testing::Pack(a, before, words, kSpeedWidth, kSpeedHeight, kSpeedWidth, sum);
        break;
      case SpeedKernel::kMoments:
        arguments_ = testing::Pack(a, b, words, kSpeedWidth, kSpeedHeight, kSpeedWidth);
        break;
    }
  }

  LaunchResult Run() {
    const SpeedGeometry g = GeometryOf(kernel_);
    return device_.Run(NameOf(kernel_), {g.blocks[0], g.blocks[1], 1},
                       {g.threads[0], g.threads[1], 1}, arguments_);
  }

 private:
  SpeedKernel kernel_;
  testing::TestDevice device_;
  std::vector<std::byte> arguments_;
};

void Machine(benchmark::State& state, SpeedKernel kernel) {
  OnMachine machine(kernel);
  LaunchResult result;
  for (auto _ : state) result = machine.Run();
  if (!result.ok()) state.SkipWithError(result.fault->message.c_str());
  ReportLaneInstructions(state, result.statistics.lane_instructions);
}
BENCHMARK_CAPTURE(Machine, hash, SpeedKernel::kHash)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Machine, motion, SpeedKernel::kMotion)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Machine, moments, SpeedKernel::kMoments)->Unit(benchmark::kMillisecond);

// The hash as a compiler makes it of C++, a thread after the other.
void ScalarHash(benchmark::State& state) {
  const SpeedGeometry g = GeometryOf(SpeedKernel::kHash);
  std::vector<uint32_t> out(g.blocks[0] * g.threads[0]);
  for (auto _ : state) {
    for (uint32_t i = 0; i < out.size(); ++i) {
      uint32_t h = i * 2654435761u + 1;
      for (uint32_t n = 0; n < kHashRounds; ++n) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
        h = h * 1664525u + (1013904223u ^ n);
      }
      out[i] = h;
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  ReportLaneInstructions(state, LaneInstructionsOf(SpeedKernel::kHash));
}
BENCHMARK(ScalarHash)->Unit(benchmark::kMillisecond);

// 320 kernels, 2 MB: the size of a video scaler's module.
void LoadLargeModule(benchmark::State& state) {
  std::string one = testing::ReadTestData("speed.sm80.ptx");
  size_t header_end = one.find(".visible .entry moments");
  size_t body_end = one.rfind("\n}\n", one.find(".section")) + 3;
  std::string body = one.substr(header_end, body_end - header_end);
  std::string text = one.substr(0, one.find(".const"));
  for (int n = 0; n < 320; ++n) {
    std::string kernel = body;
    for (size_t at = 0; (at = kernel.find("moments", at)) != std::string::npos; at += 12) {
      kernel.replace(at, 7, "moments" + std::to_string(10000 + n));
    }
    text += kernel;
    if (text.size() > 2'000'000) break;
  }
  for (auto _ : state) {
    LoadResult result = Program::Load(text);
    if (!result) state.SkipWithError(result.error.ToLogLine().c_str());
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK(LoadLargeModule)->Unit(benchmark::kMillisecond);

}  // namespace

uint64_t LaneInstructionsOf(SpeedKernel kernel) {
  return OnMachine(kernel).Run().statistics.lane_instructions;
}

}  // namespace culprit::exec
