// SPDX-License-Identifier: Apache-2.0
//
// Lane instructions a second on one core, checks on, and the time to load a large module.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using testing::Pack;

void Report(benchmark::State& state, const LaunchResult& result) {
  if (!result.ok()) state.SkipWithError(result.fault->message.c_str());
  state.counters["lane_instructions"] =
      benchmark::Counter(static_cast<double>(result.statistics.lane_instructions) *
                             static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

void HashLoop(benchmark::State& state) {
  testing::TestDevice device;
  device.LoadFile("speed.sm80.ptx");
  uint64_t out = device.memory.Allocate(64 * 256 * 4);
  LaunchResult result;
  for (auto _ : state) result = device.Run("hash_loop", {64, 1, 1}, {256, 1, 1}, Pack(out, 1000u));
  Report(state, result);
}
BENCHMARK(HashLoop)->Unit(benchmark::kMillisecond)->UseRealTime();

constexpr uint32_t kWidth = 576;
constexpr uint32_t kHeight = 324;

std::vector<uint8_t> Picture(uint32_t seed) {
  std::vector<uint8_t> picture(kWidth * kHeight);
  for (uint8_t& pixel : picture)
    pixel = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return picture;
}

void Motion(benchmark::State& state) {
  testing::TestDevice device;
  device.LoadFile("speed.sm80.ptx");
  uint64_t source = device.memory.Upload(Picture(1));
  uint64_t before = device.memory.Allocate(kWidth * kHeight * 2);
  uint64_t blurred = device.memory.Allocate(kWidth * kHeight * 2);
  uint64_t sad = device.memory.Allocate(8);
  LaunchResult result;
  for (auto _ : state) {
    result = device.Run("motion", {(kWidth + 15) / 16, (kHeight + 15) / 16, 1}, {16, 16, 1},
                        Pack(source, before, blurred, kWidth, kHeight, kWidth, sad));
  }
  Report(state, result);
}
BENCHMARK(Motion)->Unit(benchmark::kMillisecond)->UseRealTime();

void Moments(benchmark::State& state) {
  testing::TestDevice device;
  device.LoadFile("speed.sm80.ptx");
  uint64_t a = device.memory.Upload(Picture(1));
  uint64_t b = device.memory.Upload(Picture(2));
  uint64_t out = device.memory.Allocate(kWidth * kHeight * 4);
  LaunchResult result;
  for (auto _ : state) {
    result = device.Run("moments", {kWidth / 32, (kHeight + 7) / 8, 1}, {32, 8, 1},
                        Pack(a, b, out, kWidth, kHeight, kWidth));
  }
  Report(state, result);
}
BENCHMARK(Moments)->Unit(benchmark::kMillisecond)->UseRealTime();

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
}  // namespace culprit::exec
