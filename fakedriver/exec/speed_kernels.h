// SPDX-License-Identifier: Apache-2.0
//
// The kernels of testdata/speed.cu whose speed is compared: their sizes and inputs, the same for
// every system that runs them.
#ifndef FAKEDRIVER_EXEC_SPEED_KERNELS_H_
#define FAKEDRIVER_EXEC_SPEED_KERNELS_H_

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <vector>

namespace culprit::exec {

enum class SpeedKernel { kHash, kMotion, kMoments };

inline constexpr uint32_t kHashRounds = 1000;
inline constexpr uint32_t kSpeedWidth = 576;
inline constexpr uint32_t kSpeedHeight = 324;

struct SpeedGeometry {
  std::array<uint32_t, 2> blocks;
  std::array<uint32_t, 2> threads;
};

inline SpeedGeometry GeometryOf(SpeedKernel kernel) {
  switch (kernel) {
    case SpeedKernel::kMotion:
      return {{(kSpeedWidth + 15) / 16, (kSpeedHeight + 15) / 16}, {16, 16}};
    case SpeedKernel::kMoments:
      return {{kSpeedWidth / 32, (kSpeedHeight + 7) / 8}, {32, 8}};
    default:
      return {{64, 1}, {256, 1}};
  }
}

inline const char* NameOf(SpeedKernel kernel) {
  return kernel == SpeedKernel::kHash     ? "hash_loop"
         : kernel == SpeedKernel::kMotion ? "motion"
                                          : "moments";
}

inline std::vector<uint8_t> SpeedPicture(uint32_t seed) {
  std::vector<uint8_t> picture(kSpeedWidth * kSpeedHeight);
  for (uint8_t& pixel : picture)
    pixel = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return picture;
}

// PTX instructions times lanes of one launch, as the machine counts them: what the speed of every
// system is given in.
uint64_t LaneInstructionsOf(SpeedKernel kernel);

inline void ReportLaneInstructions(benchmark::State& state, uint64_t of_a_launch) {
  state.counters["lane_instructions"] =
      benchmark::Counter(static_cast<double>(of_a_launch) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_SPEED_KERNELS_H_
