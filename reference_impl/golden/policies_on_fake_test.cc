// SPDX-License-Identifier: Apache-2.0
//
// Every CUDA extractor gives the same bits whenever a device gets round to the work it is given: at
// once, at the pace of the clock, when somebody waits for it, or in a random order between; and
// with worker threads. In each depth and format, with odd sides. Nothing is found wrong with how
// the driver was used.
#include <gtest/gtest.h>

#include <algorithm>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/extractor/registry.h"
#include "reference_impl/testing/golden_scores.h"

namespace culprit::reference::testing {
namespace {

struct Format {
  uint32_t bits;
  PixelFormat chroma;
  const char* name;
};
constexpr Format kFormats[] = {{8, PixelFormat::k420, "8_bits_420"},
                               {10, PixelFormat::k422, "10_bits_422"},
                               {12, PixelFormat::k444, "12_bits_444"}};
constexpr uint32_t kFrames = 3;

struct Case {
  const ExtractorDescriptor* extractor;
  Format format;

  std::string Name() const { return std::string(extractor->name) + "_in_" + format.name; }
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.Name(); }

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const ExtractorDescriptor& extractor : AllExtractors()) {
    if (extractor.backend != Backend::kCuda) continue;
    for (const Format& format : kFormats) cases.push_back({&extractor, format});
  }
  return cases;
}

// As small as the extractor accepts, but for the last column and row.
ClipSpec ClipFor(const Case& wanted) {
  const auto [width, height] = wanted.extractor->smallest;
  const Geometry geometry{std::max(width, 50u) | 1, std::max(height, 36u) | 1, wanted.format.bits,
                          wanted.format.chroma};
  return {.name = wanted.format.name,
          .geometry = geometry,
          .frames = kFrames,
          .gradient = false,
          .seed = 5,
          .repeats = false,
          .cut = false,
          .blur_passes = {1, 0},
          .quantizers = {1, 16},
          .noise = {6}};
}

class StreamPolicies : public ::testing::TestWithParam<Case> {
 protected:
  ScoreTable ScoresUnder(const char* policy, uint32_t threads) {
    fake_.Reset();
    fake_.Configure({{"policy", policy}, {"certify", true}, {"seed", 7}});
    std::shared_ptr<DeviceState> device;
    EXPECT_TRUE(DeviceState::Create(nullptr, &device).ok());
    State state(std::move(device));
    ScoreTable scores =
        ScoreClip(ClipFor(GetParam()), GetParam().extractor->name, {}, threads, &state);
    EXPECT_TRUE(state.Free().ok());
    fake_.EndOfLife();
    for (const Finding& finding : fake_.Findings()) {
      ADD_FAILURE() << policy << ": " << finding.rule << ": " << finding.message;
    }
    return scores;
  }
  void TearDown() override {
    fake_.Reset();
    fake_.Configure({{"policy", "eager"}});
  }

  // Loaded by path first: the reference then finds it under its name.
  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(StreamPolicies, ChangeNoBitOfAScore) {
  const ScoreTable expected = ScoresUnder("eager", /*threads=*/0);
  ASSERT_FALSE(expected.empty());
  for (const char* policy : {"timed", "lazy", "random"}) {
    for (const uint32_t threads : {0u, 2u}) {
      EXPECT_EQ(ScoresUnder(policy, threads), expected) << policy << ", threads: " << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryExtractor, StreamPolicies, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.Name(); });

}  // namespace
}  // namespace culprit::reference::testing
