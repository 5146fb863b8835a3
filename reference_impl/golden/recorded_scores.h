// SPDX-License-Identifier: Apache-2.0
//
// Scores to the last bit, as one driver gave them: every CUDA extractor over a few clips of
// different depths, formats and sizes. culprit-record-scores writes such a record, on a device; a
// test makes one on the fake driver and compares.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_RECORDED_SCORES_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_RECORDED_SCORES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::reference::testing {

// 8, 10 and 12 bits; 4:2:0, 4:2:2, 4:4:4; odd sizes; and one that is large enough for each
// extractor.
inline constexpr const char* kRecordedClips[] = {"e320_8", "h176_422", "i96_12", "l161_444",
                                                 "n640_8"};

// Whether a run of `extractor`, of the registry, over the clip is part of a record: it is a CUDA
// extractor, the clip is large enough for it, and the largest clip is kept for those that need one.
bool IsRecorded(std::string_view clip, std::string_view extractor);

// Of one extractor over one clip: by key, the bits of the score of every frame.
using RecordedRun = std::map<std::string, std::vector<uint64_t>>;

// By extractor.
using RecordedClip = std::map<std::string, RecordedRun>;

// Scores on whichever libcuda.so.1 the process finds. Throws std::runtime_error when a run fails.
RecordedRun Record(const std::string& clip, const std::string& extractor, uint32_t threads);

// FOLDER/CLIP.json, a line an extractor. Both throw std::runtime_error that names the file.
RecordedClip ReadRecord(const std::string& folder, const std::string& clip);
void WriteRecord(const std::string& folder, const std::string& clip, const RecordedClip& record);

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_RECORDED_SCORES_H_
