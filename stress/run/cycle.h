// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stress/run/workload.h"

namespace culprit::stress {

// Runs cycles over a list of pairs and keeps count of what was not given back.
class Cycle {
 public:
  // `pairs` must outlive this. All pairs take part until `Choose` says otherwise.
  explicit Cycle(std::span<const Pair> pairs);

  // Only these pairs, and those they need, take part.
  void Choose(std::span<const size_t> chosen);
  // From now on the release of `pair` is left out; nullopt mends it.
  void Leak(std::optional<size_t> pair) { leaked_ = pair; }

  // One cycle. When a take fails, what was taken before it is given back; the first failure is
  // returned. A leaked release is left out in every case.
  Outcome Run();

  // The two halves of it. `Take` stops at the first failure and leaves what it took to `Give`.
  Outcome Take();
  Outcome Give();

  int64_t live() const { return live_; }
  const std::vector<bool>& chosen() const { return chosen_; }

 private:
  std::span<const Pair> pairs_;
  std::vector<bool> chosen_;
  std::optional<size_t> leaked_;
  size_t taken_ = 0;
  int64_t live_ = 0;
};

}  // namespace culprit::stress
