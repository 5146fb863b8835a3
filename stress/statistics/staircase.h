// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "stress/statistics/series.h"

namespace culprit::stress {

// What a series says about the allocator behind it.
//
// Drivers and C libraries take memory in chunks (2 MiB, 132 KiB, a page) and hand out pieces. A
// leak of a few bytes then shows nothing for thousands of cycles and a whole chunk at once: a flat
// stretch does not acquit, and one rise does not convict. The chunk is the larger of the resource's
// known granularity and of the rises that the series shows, when it is flat most of the time.
struct Staircase {
  double chunk = 0;      // the true amount in use lies within one chunk below a reading
  int rises = 0;         // how often the series reached a height it never had before
  bool stepped = false;  // most neighbours are equal, and next to nothing is given back
};

Staircase DescribeStaircase(std::span<const Point> series, double granularity);

}  // namespace culprit::stress
