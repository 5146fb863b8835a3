// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/model_features.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace culprit::reference {
namespace {

bool Writes(const culprit_extractor_info& extractor, const std::string& key) {
  if (extractor.keys == nullptr) return false;
  for (const char* const* own = extractor.keys; *own != nullptr; ++own) {
    if (key == *own) return true;
  }
  return false;
}

}  // namespace

void AddExtractorsFor(const ScoreModel& model, const culprit_port& port,
                      std::vector<std::string>* extractors) {
  const std::span all(port.extractors, port.extractor_count);
  for (const std::string& key : model.keys()) {
    const auto chosen = [&](const culprit_extractor_info& extractor) {
      return Writes(extractor, key) &&
             std::find(extractors->begin(), extractors->end(), extractor.name) != extractors->end();
    };
    if (std::any_of(all.begin(), all.end(), chosen)) continue;
    const auto first = std::find_if(
        all.begin(), all.end(),
        [&](const culprit_extractor_info& extractor) { return Writes(extractor, key); });
    if (first == all.end()) {
      throw std::runtime_error("the model needs " + key +
                               ", which no extractor of the port writes");
    }
    extractors->push_back(first->name);
  }
}

}  // namespace culprit::reference
