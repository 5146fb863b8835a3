// SPDX-License-Identifier: Apache-2.0
//
// Which interleavings are run, one after the other.
#ifndef SUITES_INTERLEAVINGS_STRATEGY_H_
#define SUITES_INTERLEAVINGS_STRATEGY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "suites/interleavings/schedule.h"

namespace culprit::interleavings {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Prepares the next run; false when there is none. Called once before each run.
  virtual bool Next() = 0;
  virtual ThreadId Choose(const Decision& decision) = 0;
  // Whether every interleaving that the strategy stands for has been run, once Next is false.
  virtual bool Exhausted() const { return false; }
};

// Every interleaving with at most `preemptions` preemptions, in depth first order; no more than
// `most_runs`.
std::unique_ptr<Strategy> DepthFirst(uint32_t preemptions, uint64_t most_runs);

// Each choice anew, all threads alike.
std::unique_ptr<Strategy> Random(uint64_t seed, uint64_t runs);

// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized
// scheduler with probabilistic guarantees of finding bugs, 2010): random priorities, and
// `depth` - 1 points, drawn among as many as the run before had, at which the running thread falls
// behind all others. A bug that needs `depth` ordered events is found in a run with probability
// 1 / (threads * points^(depth-1)) at least.
std::unique_ptr<Strategy> Probabilistic(uint64_t seed, uint32_t depth, uint64_t runs);

// One run that follows `schedule`, and then goes on without preemption.
std::unique_ptr<Strategy> Fixed(Schedule schedule);

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_STRATEGY_H_
