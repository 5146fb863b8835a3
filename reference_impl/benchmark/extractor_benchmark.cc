// SPDX-License-Identifier: Apache-2.0
//
// Frames a second of every CUDA extractor, and of the extractors on the host that are their twins,
// on the fake driver, whose PTX machine runs the kernels: two sizes, serial and with two worker
// threads. The clock runs from the second frame to the end of the flush: the first frame makes the
// extractors. On the fake the speed of the kernels is given, too: PTX instructions times lanes, a
// second of processor time of the whole program. With CULPRIT_BENCHMARK_DRIVER=installed the driver
// is whichever libcuda.so.1 the process finds.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/clip/generated_source.h"
#include "reference_impl/extractor/registry.h"
#include "reference_impl/framework/session.h"

namespace culprit::reference {
namespace {

struct Size {
  const char* name;
  uint32_t width;
  uint32_t height;
};
constexpr Size kSizes[] = {{"576x324", 576, 324}, {"1920x1080", 1920, 1080}};
constexpr uint32_t kFrames = 3;  // that are made; a longer run repeats them
// Frames that are timed.
constexpr uint32_t kOnFake = 2;
constexpr uint32_t kOnDevice = 60;
constexpr uint32_t kOnHost = 6;

struct FramePairs {
  Geometry geometry;
  std::vector<std::unique_ptr<HostFrame>> reference;
  std::vector<std::unique_ptr<HostFrame>> distorted;
};

void Require(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error().message);
}

// Texture with a moving square, blurred and noisy in the distorted clip; 8 bits, 4:2:0.
FramePairs MakeFrames(const Size& size) {
  const ClipSpec clip{.name = size.name,
                      .geometry = {size.width, size.height, 8, PixelFormat::k420},
                      .frames = kFrames,
                      .gradient = false,
                      .seed = 14,
                      .repeats = false,
                      .cut = false,
                      .blur_passes = {1},
                      .quantizers = {1, 16},
                      .noise = {6}};
  GeneratedSource source(clip);
  FramePairs frames{.geometry = clip.geometry, .reference = {}, .distorted = {}};
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    FrameView reference;
    FrameView distorted;
    bool end = false;
    Require(source(&reference, &distorted, &end));
    frames.reference.push_back(std::make_unique<HostFrame>(reference));
    frames.distorted.push_back(std::make_unique<HostFrame>(distorted));
  }
  return frames;
}

struct Cost {
  double seconds = 0;
  double processor_seconds = 0;  // of all threads
  uint64_t lane_instructions = 0;
};

// Of the fake driver so far; on another driver 0.
uint64_t LaneInstructions(const Fake* fake) {
  return fake != nullptr ? fake->Launches().lane_instructions : 0;
}

// Of `timed` frames.
Cost ScoreAll(const FramePairs& frames, const char* extractor, uint32_t threads, uint32_t timed,
              const Fake* fake) {
  std::shared_ptr<DeviceState> device;
  Require(DeviceState::Create(nullptr, &device));
  State state(std::move(device));
  Session session(frames.geometry, threads);
  Require(session.UseExtractor(extractor, {}));
  Require(session.ImportState(state));
  const auto submit = [&](uint32_t index) {
    const uint32_t frame = index % kFrames;
    Require(
        session.Submit(frames.reference[frame]->view(), frames.distorted[frame]->view(), index));
  };
  submit(0);
  const uint64_t instructions_before = LaneInstructions(fake);
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  for (uint32_t index = 1; index <= timed; ++index) submit(index);
  Require(session.Flush());
  const std::clock_t processor_end = std::clock();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  Require(session.Close());
  Require(state.Free());
  return {elapsed.count(), static_cast<double>(processor_end - processor_start) / CLOCKS_PER_SEC,
          LaneInstructions(fake) - instructions_before};
}

// Made once: that takes longer than a device needs for them.
const FramePairs& FramesOf(const Size& size) {
  static std::map<std::string, FramePairs> made;
  const auto found = made.find(size.name);
  return found != made.end() ? found->second
                             : made.emplace(size.name, MakeFrames(size)).first->second;
}

void Score(benchmark::State& state, const char* extractor, const Size& size, uint32_t threads,
           uint32_t timed, const Fake* fake) {
  const FramePairs& frames = FramesOf(size);
  Cost total;
  for (auto _ : state) {
    const Cost cost = ScoreAll(frames, extractor, threads, timed, fake);
    state.SetIterationTime(cost.seconds);
    total.processor_seconds += cost.processor_seconds;
    total.lane_instructions += cost.lane_instructions;
  }
  state.counters["frames_per_second"] = benchmark::Counter(
      static_cast<double>(timed * state.iterations()), benchmark::Counter::kIsRate);
  // What a busy machine does not change.
  state.counters["processor_ms_per_frame"] =
      1000 * total.processor_seconds / static_cast<double>(timed * state.iterations());
  if (total.lane_instructions != 0) {
    state.counters["lane_instructions_per_processor_second"] =
        static_cast<double>(total.lane_instructions) / total.processor_seconds;
  }
}

void RegisterAll(uint32_t timed_on_device, const Fake* fake) {
  for (const ExtractorDescriptor& extractor : AllExtractors()) {
    if (extractor.backend == Backend::kLoopback) continue;
    const uint32_t timed = extractor.backend == Backend::kCpu ? kOnHost : timed_on_device;
    for (const Size& size : kSizes) {
      for (const uint32_t threads : {0u, 2u}) {
        const std::string name = std::string(extractor.name) + "/" + size.name +
                                 (threads == 0 ? "/serial" : "/two_threads");
        benchmark::RegisterBenchmark(name.c_str(), &Score, extractor.name, size, threads, timed,
                                     fake)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime();
      }
    }
  }
}

}  // namespace
}  // namespace culprit::reference

int main(int argc, char** argv) {
  const char* driver = std::getenv("CULPRIT_BENCHMARK_DRIVER");
  // Loaded by path first: the reference then finds it under its name.
  std::unique_ptr<culprit::Fake> fake;
  const bool on_fake = driver == nullptr || std::string(driver) != "installed";
  if (on_fake) {
    fake = std::make_unique<culprit::Fake>(culprit::Fake::Load(CULPRIT_FAKE_LIBRARY));
  }
  culprit::reference::RegisterAll(
      on_fake ? culprit::reference::kOnFake : culprit::reference::kOnDevice, fake.get());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
