// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/model/pooled_score.h"

#include <algorithm>

namespace culprit::reference {

PooledScore Pool(std::span<const double> scores) {
  double sum = 0;
  double sum_of_inverses = 0;
  for (const double score : scores) {
    sum += score;
    sum_of_inverses += 1 / (score + 1);
  }
  const auto count = static_cast<double>(scores.size());
  return {.min = *std::min_element(scores.begin(), scores.end()),
          .max = *std::max_element(scores.begin(), scores.end()),
          .mean = sum / count,
          .harmonic_mean = count / sum_of_inverses - 1};
}

}  // namespace culprit::reference
