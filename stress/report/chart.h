// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "stress/sample/resource.h"
#include "stress/statistics/series.h"
#include "stress/statistics/verdict.h"

namespace culprit::stress {

// One series as an SVG element: readings, warm-up, fitted line, labelled extremes. Heights are
// drawn relative to the first reading.
std::string Chart(const std::string& title, Resource resource, const Series& series,
                  const Judgement& judgement);

}  // namespace culprit::stress
