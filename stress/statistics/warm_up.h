// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "stress/statistics/series.h"

namespace culprit::stress {

// Index of the first reading after warm-up; 0 when the series has none.
//
// Caches, arenas and lazily loaded code make the first cycles dearer than all later ones. The
// change point is where two straight pieces fit best; it is believed only if the early readings lie
// further off the later line than chunks and noise can explain, for otherwise the last stair of a
// real leak would be taken for the steady state. At most half of the readings are given up.
size_t FindWarmUpEnd(std::span<const Point> series, double granularity);

}  // namespace culprit::stress
