// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/feature_collector.h"

#include <cerrno>
#include <iterator>

namespace culprit::reference {

Status FeatureCollector::Append(const std::string& key, uint32_t index, double value) {
  const std::lock_guard lock(mutex_);
  const bool first_write = scores_[key].emplace(index, value).second;
  if (!first_write) {
    return ExtractorFailure(-EINVAL,
                            key + " of frame " + std::to_string(index) + " was written already");
  }
  return Status();
}

Status FeatureCollector::Get(const std::string& key, uint32_t index, double* value) const {
  const std::lock_guard lock(mutex_);
  const auto scores = scores_.find(key);
  if (scores == scores_.end()) return ExtractorFailure(-ENOENT, "no feature is called " + key);
  const auto score = scores->second.find(index);
  if (score == scores->second.end()) {
    return ExtractorFailure(-EAGAIN, key + " of frame " + std::to_string(index) + " is not there");
  }
  *value = score->second;
  return Status();
}

const char* FeatureCollector::KeyAt(uint32_t position) const {
  const std::lock_guard lock(mutex_);
  if (position >= scores_.size()) return nullptr;
  return std::next(scores_.begin(), position)->first.c_str();
}

}  // namespace culprit::reference
