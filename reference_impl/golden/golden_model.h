// SPDX-License-Identifier: Apache-2.0
//
// The model whose golden scores are here, from where the user keeps it.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_MODEL_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_MODEL_H_

#include <cstdlib>
#include <optional>
#include <string>

#include "reference_impl/model/score_model.h"

namespace culprit::reference::testing {

inline constexpr const char* kModelFeature = "version";  // of the golden files, without its options
inline constexpr const char* kModelName = "vmaf_v0.6.1";
inline constexpr const char* kNoModel =
    "no vmaf_v0.6.1.json: set CULPRIT_VMAF_MODEL, in the environment or for CMake, to its path";

// None where nobody said where it is.
inline std::optional<ScoreModel> GoldenModel() {
  const char* from_environment = std::getenv("CULPRIT_VMAF_MODEL");
  const std::string path = from_environment != nullptr ? from_environment : CULPRIT_VMAF_MODEL_PATH;
  if (path.empty()) return {};
  return ScoreModel::Read(path);
}

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_MODEL_H_
