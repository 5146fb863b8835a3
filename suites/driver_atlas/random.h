// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_DRIVER_ATLAS_RANDOM_H_
#define SUITES_DRIVER_ATLAS_RANDOM_H_

#include <cstdint>
#include <vector>

namespace culprit::atlas {

// splitmix64: the same numbers on every machine and compiler. The seed is mixed first: numbers of
// neighbouring seeds would else be the same ones, a few places on.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix(seed + 0x2545f4914f6cdd1d)) {}
  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15); }
  uint64_t Below(uint64_t n) { return Next() % n; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

 private:
  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_RANDOM_H_
