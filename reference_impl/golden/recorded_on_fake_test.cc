// SPDX-License-Identifier: Apache-2.0
//
// The fake driver's PTX machine gives the bits that an H200 gave: every CUDA extractor, every
// recorded clip.
#include <gtest/gtest.h>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/extractor/registry.h"
#include "reference_impl/golden/recorded_scores.h"

namespace culprit::reference::testing {
namespace {

struct Run {
  std::string clip;
  std::string extractor;
};
void PrintTo(const Run& run, std::ostream* out) { *out << run.extractor << " on " << run.clip; }

std::vector<Run> Runs() {
  std::vector<Run> runs;
  for (const char* clip : kRecordedClips) {
    for (const ExtractorDescriptor& extractor : AllExtractors()) {
      if (IsRecorded(clip, extractor.name)) runs.push_back({clip, extractor.name});
    }
  }
  return runs;
}

class RecordedScores : public ::testing::TestWithParam<Run> {
 protected:
  // Loaded by path first: the reference then finds it under its name.
  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(RecordedScores, AreThoseOfTheDevice) {
  fake_.Reset();
  const auto& [clip, extractor] = GetParam();
  const RecordedClip record = ReadRecord(CULPRIT_RECORD_FOLDER, clip);
  if (!record.contains(extractor)) {
    GTEST_SKIP() << "no device has run " << extractor << " on " << clip << " yet";
  }
  EXPECT_EQ(Record(clip, extractor, /*threads=*/0), record.at(extractor));
}

INSTANTIATE_TEST_SUITE_P(H200, RecordedScores, ::testing::ValuesIn(Runs()), [](const auto& info) {
  return info.param.extractor + "_on_" + info.param.clip;
});

}  // namespace
}  // namespace culprit::reference::testing
