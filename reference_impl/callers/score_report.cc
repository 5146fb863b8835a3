// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/score_report.h"

#include <nlohmann/json.hpp>

#include "reference_impl/model/pooled_score.h"

namespace culprit::reference {

std::string ScoreReport(const Scores& scores) {
  nlohmann::json report{{"frames", scores}, {"pooled", nlohmann::json::object()}};
  for (const auto& [key, frames] : scores) {
    if (frames.empty()) continue;
    const PooledScore pooled = Pool(frames);
    report["pooled"][key] = {{"min", pooled.min},
                             {"max", pooled.max},
                             {"mean", pooled.mean},
                             {"harmonic_mean", pooled.harmonic_mean}};
  }
  return report.dump() + "\n";
}

}  // namespace culprit::reference
