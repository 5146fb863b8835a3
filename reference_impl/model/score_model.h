// SPDX-License-Identifier: Apache-2.0
//
// A fused score: several features of a frame, each rescaled, put into a support-vector regression,
// and its answer scaled back. Read from a model file in the JSON format of VMAF. Needs no driver.
#ifndef CULPRIT_REFERENCE_IMPL_MODEL_SCORE_MODEL_H_
#define CULPRIT_REFERENCE_IMPL_MODEL_SCORE_MODEL_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference_impl/model/support_vectors.h"

namespace culprit::reference {

class ScoreModel {
 public:
  // Throws std::runtime_error that names the file, the field and the rule; a field that would
  // change the score and is not known is an error, too.
  static ScoreModel Read(const std::string& path);
  // `source` is what errors name.
  static ScoreModel Parse(const std::string& json, const std::string& source);

  // Keys of the features, in the order of the inputs: "integer_adm2".
  const std::vector<std::string>& keys() const { return keys_; }

  // Of one frame; `features` in the order of keys().
  double Predict(std::span<const double> features) const;

  // Of every frame, from the scores of the extractors. Throws std::runtime_error if a feature is
  // missing.
  std::vector<double> Score(const std::map<std::string, std::vector<double>>& scores) const;

 private:
  struct Line {
    double slope = 1;
    double intercept = 0;
  };

  std::vector<std::string> keys_;
  Line of_score_;
  std::vector<Line> of_features_;
  std::optional<std::array<double, 2>> clip_;
  SupportVectors regression_;

  friend class ScoreModelReader;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_MODEL_SCORE_MODEL_H_
