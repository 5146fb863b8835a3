// SPDX-License-Identifier: Apache-2.0
//
// What the golden clips do not have: samples of twelve bits, and chroma with half the columns but
// all rows. The same picture in more bits, or with its chroma samples repeated, scores the same as
// far as the definition allows.
#include <gtest/gtest.h>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/framework/session.h"

namespace culprit::reference::testing {
namespace {

// In eight bits.
uint32_t Pattern(uint32_t plane, uint32_t x, uint32_t y, uint32_t frame, bool distorted) {
  const uint32_t sample = (x * 7 + y * 5 + frame * 3 + x * y * (plane + 1) / 16) % 200 + 28;
  return distorted ? (sample + 16) / 32 * 32 : sample;
}

// `repeated`: two chroma samples of a row have the value of one in 4:2:2.
HostFrame Draw(const Geometry& geometry, uint32_t frame, bool distorted, bool repeated) {
  std::array<std::vector<uint8_t>, kMaxPlanes> planes;
  FrameView view;
  view.geometry = geometry;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    const uint32_t columns_per_value = plane > 0 && repeated ? 2 : 1;
    for (uint32_t y = 0; y < geometry.plane_height(plane); ++y) {
      for (uint32_t x = 0; x < geometry.plane_width(plane); ++x) {
        const uint32_t value = Pattern(plane, x / columns_per_value, y, frame, distorted);
        const uint32_t sample = value << (geometry.bits - 8);
        planes[plane].push_back(static_cast<uint8_t>(sample));
        if (geometry.bits > 8) planes[plane].push_back(static_cast<uint8_t>(sample >> 8));
      }
    }
    view.data[plane] = planes[plane].data();
    view.stride[plane] = geometry.row_bytes(plane);
  }
  return HostFrame(view);
}

// Of the second of two frames, by key.
std::map<std::string, double> Scores(const char* extractor, const Geometry& geometry,
                                     bool repeated = false) {
  std::shared_ptr<DeviceState> device;
  EXPECT_TRUE(DeviceState::Create(nullptr, &device).ok());
  State state(std::move(device));
  Session session(geometry, /*threads=*/0);
  EXPECT_TRUE(session.UseExtractor(extractor, {}).ok());
  EXPECT_TRUE(session.ImportState(state).ok());
  for (const uint32_t frame : {0u, 1u}) {
    const HostFrame reference = Draw(geometry, frame, false, repeated);
    const HostFrame distorted = Draw(geometry, frame, true, repeated);
    Status submitted = session.Submit(reference.view(), distorted.view(), frame);
    EXPECT_TRUE(submitted.ok()) << submitted.error().message;
  }
  EXPECT_TRUE(session.Flush().ok());
  std::map<std::string, double> scores;
  for (uint32_t i = 0; session.collector().KeyAt(i) != nullptr; ++i) {
    const char* key = session.collector().KeyAt(i);
    EXPECT_TRUE(session.collector().Get(key, 1, &scores[key]).ok());
  }
  EXPECT_TRUE(session.Close().ok());
  EXPECT_TRUE(state.Free().ok());
  return scores;
}

struct DeepCase {
  const char* extractor;
  uint32_t side;
  uint32_t few_bits;
  // The peak is 255 in eight bits and 4095 / 16 in units of eight bits: scores that depend on it
  // move by that much. PSNR-HVS rounds its transforms to whole steps, which eight bits feel.
  double tolerance;
};
void PrintTo(const DeepCase& deep, std::ostream* out) { *out << deep.extractor; }

class DeepSamples : public ::testing::TestWithParam<DeepCase> {
 protected:
  void SetUp() override { fake_.Reset(); }
  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(DeepSamples, ScoreAsTheSamePictureInFewerBits) {
  const DeepCase& deep = GetParam();
  Geometry geometry{deep.side, deep.side, deep.few_bits, PixelFormat::k420};
  const auto expected = Scores(deep.extractor, geometry);
  geometry.bits = 12;
  const auto actual = Scores(deep.extractor, geometry);
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [key, score] : expected) EXPECT_NEAR(actual.at(key), score, deep.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Extractors, DeepSamples,
    ::testing::Values(DeepCase{"motion", 51, 8, 0}, DeepCase{"motion_v2", 51, 8, 0},
                      DeepCase{"float_motion", 51, 8, 0}, DeepCase{"float_moment", 51, 8, 0},
                      DeepCase{"psnr", 51, 8, 0.032}, DeepCase{"float_psnr", 51, 8, 0.032},
                      DeepCase{"vif", 51, 8, 0}, DeepCase{"adm", 51, 8, 0},
                      DeepCase{"float_vif", 51, 8, 0}, DeepCase{"float_adm", 51, 8, 0},
                      DeepCase{"float_ssim", 51, 8, 0}, DeepCase{"float_ms_ssim", 177, 8, 0},
                      DeepCase{"cambi", 217, 10, 0}, DeepCase{"speed_chroma", 177, 8, 0},
                      DeepCase{"speed_temporal", 97, 8, 0}, DeepCase{"ciede", 51, 8, 0},
                      DeepCase{"ssimulacra2", 51, 8, 0.03}, DeepCase{"ssim", 51, 8, 0.005},
                      DeepCase{"psnr_hvs", 51, 10, 0.2}),
    [](const auto& info) { return std::string(info.param.extractor); });

// Of chroma that is stored at half the columns, and of the same with each sample stored twice.
class ChromaOfHalfTheColumns : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { fake_.Reset(); }
  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(ChromaOfHalfTheColumns, ScoresAsTheSameChromaRepeated) {
  const auto stored_once = Scores(GetParam(), {52, 37, 8, PixelFormat::k422});
  const auto repeated = Scores(GetParam(), {52, 37, 8, PixelFormat::k444}, /*repeated=*/true);
  EXPECT_EQ(stored_once, repeated);
}

INSTANTIATE_TEST_SUITE_P(Extractors, ChromaOfHalfTheColumns,
                         ::testing::Values("ciede", "psnr", "ssimulacra2"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace culprit::reference::testing
