// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "stress/statistics/series.h"
#include "stress/statistics/theil_sen.h"

namespace culprit::stress {

enum class Verdict { kFlat, kLeak, kUnsure };

std::string_view NameOf(Verdict verdict);

struct Question {
  double granularity = 1;     // smallest amount by which readings of the resource can differ
  double confidence = 0.999;  // two-sided, of the slope's interval
  double tolerance = 0;       // growth per cycle that is accepted
  // A flat verdict needs a run that could have seen a leak of this size; without bound, any run
  // will do and `detectable` says what it was worth.
  double must_see = std::numeric_limits<double>::infinity();
};

// What a series says. All amounts are per cycle.
//
// `leak` needs three things: a slope whose interval, widened by what chunks can hide, lies above
// the tolerance; several rises; and an even pace over the thirds and halves of the run, because
// growth that ends or slows down is no leak. A series that only climbs, in stairs, has no noise:
// its interval is what the chunks leave open. Any other gets the interval of Theil and Sen, widened
// by how far its noise wanders. `flat` needs the interval below `must_see` and a run able to see
// that much. Everything else is `unsure`, with the number of cycles after which the same question
// should be answered.
struct Judgement {
  Verdict verdict = Verdict::kUnsure;
  Line line;         // through the readings after warm-up
  double lower = 0;  // the slope's interval with the chunks' share
  double upper = 0;
  double detectable = 0;  // smallest leak that this run would have called one
  double chunk = 0;
  int rises = 0;
  size_t kept_from = 0;      // index of the first reading after warm-up
  double kept_cycles = 0;    // length of what was judged
  double cycles_needed = 0;  // of an unsure verdict: judged cycles that should settle it
  std::string reason;        // one clause for a reader
};

Judgement Judge(std::span<const Point> series, const Question& question);

}  // namespace culprit::stress
