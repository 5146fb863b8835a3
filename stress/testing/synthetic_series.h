// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "stress/statistics/series.h"

namespace culprit::stress {

// Series with a known truth, for tests of the statistics. Every generator is a pure function of its
// arguments, the seed included.

// `count` readings, one each `stride` cycles, of `amount(cycle)`.
Series Readings(int count, double stride, const std::function<double(double cycle)>& amount);

// What an allocator that takes whole chunks shows of `series`.
Series InChunks(Series series, double chunk, double phase = 0);

Series WithNoise(Series series, double deviation, unsigned seed);

// A walk whose steps are normal with `deviation`: it remembers, and wanders without a cause.
Series RandomWalk(int count, double stride, double deviation, unsigned seed);

}  // namespace culprit::stress
