// SPDX-License-Identifier: Apache-2.0
#include "stress/testing/synthetic_series.h"

#include <cmath>
#include <random>

namespace culprit::stress {

Series Readings(int count, double stride, const std::function<double(double cycle)>& amount) {
  Series series;
  for (int i = 0; i < count; ++i) series.push_back({i * stride, amount(i * stride)});
  return series;
}

Series InChunks(Series series, double chunk, double phase) {
  for (Point& point : series) point.value = std::ceil((point.value + phase) / chunk) * chunk;
  return series;
}

Series WithNoise(Series series, double deviation, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> noise(0, deviation);
  for (Point& point : series) point.value += noise(engine);
  return series;
}

Series RandomWalk(int count, double stride, double deviation, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> step(0, deviation);
  Series series;
  double value = 0;
  for (int i = 0; i < count; ++i) {
    series.push_back({i * stride, value});
    value += step(engine);
  }
  return series;
}

}  // namespace culprit::stress
