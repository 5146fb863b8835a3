// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "stress/statistics/series.h"

namespace culprit::stress {

// How far the noise of a series alone may carry its slope, as a standard deviation per cycle.
//
// Noise that forgets averages out over a long run; noise that remembers (a walk) carries the end as
// far as it likes. The two differ in how the spread between readings grows with their distance: not
// at all, or in proportion. Medians of blocks are compared, one and several blocks apart; what the
// spread gained in between is the walk's share.
double WanderPerCycle(std::span<const Point> series, double slope);

}  // namespace culprit::stress
