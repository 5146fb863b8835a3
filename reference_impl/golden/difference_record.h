// SPDX-License-Identifier: Apache-2.0
//
// How far every extractor is from the golden scores on one driver, as data: the largest difference
// over all clips, frames, keys and sets of options. culprit-record-differences measures it on the
// fake driver; the golden tests hold the record to what they see.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_DIFFERENCE_RECORD_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_DIFFERENCE_RECORD_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "reference_impl/golden/followed.h"

namespace culprit::reference::testing {

struct RecordedDifference {
  double largest = 0;  // absolute, or relative where the golden score is above 1
  std::string clip;    // empty without a difference
  std::string where;   // key, frame and options
  uint32_t clips = 0;  // that the original has scores of
};

// By extractor.
using DifferenceRecord = std::map<std::string, RecordedDifference>;

// Over every golden clip. `make_state` gives the state of each run. Throws std::runtime_error.
RecordedDifference MeasureDifference(const std::string& golden_folder, const Followed& followed,
                                     const std::function<std::unique_ptr<State>()>& make_state);

// Of scores that were recorded to the last bit, default options: `record_folder` has a file a clip.
// Throws std::runtime_error.
DifferenceRecord DifferencesOfRecordedScores(const std::string& golden_folder,
                                             const std::string& record_folder);

// Both throw std::runtime_error that names the file.
DifferenceRecord ReadDifferences(const std::string& path);
void WriteDifferences(const std::string& path, const DifferenceRecord& record);

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_DIFFERENCE_RECORD_H_
