// SPDX-License-Identifier: Apache-2.0
//
// The scores of one session. An index of a key is written once: a second write is refused, because
// overwriting would hide that an extractor was flushed twice.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_FEATURE_COLLECTOR_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_FEATURE_COLLECTOR_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

// Thread-safe.
class FeatureCollector {
 public:
  // -EINVAL if the index was written before.
  Status Append(const std::string& key, uint32_t index, double value);

  // -EAGAIN: nothing written there (yet). -ENOENT: no such key.
  Status Get(const std::string& key, uint32_t index, double* value) const;

  // Keys in alphabetical order; null past the end. The text lives as long as the collector.
  const char* KeyAt(uint32_t position) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::map<uint32_t, double>> scores_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_FEATURE_COLLECTOR_H_
