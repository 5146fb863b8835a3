// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/cambi/cambi_viewing.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace culprit::reference {
namespace {

// Ten-bit limited range, on a display of ITU-R BT.1886 from 0.01 to 300 candela per square metre.
constexpr int kBlack = 64;
constexpr int kWhite = 940;
constexpr double kGamma = 2.4;
constexpr double kDarkest = 0.01;
constexpr double kBrightest = 300.0;
constexpr double kVisiblePart = 0.019;  // of the luminance

double Luminance(int value) {
  const double dark = std::pow(kDarkest, 1 / kGamma);
  const double range = std::pow(kBrightest, 1 / kGamma) - dark;
  const double signal =
      static_cast<double>(std::clamp(value, kBlack, kWhite) - kBlack) / (kWhite - kBlack);
  return std::pow(range, kGamma) * std::pow(std::max(signal + dark / range, 0.0), kGamma);
}

bool Visible(int value, int step) {
  return Luminance(value + step) - Luminance(value) > kVisiblePart * Luminance(value);
}

int LargestVisible(int step) {
  constexpr int kAlways = 1023;
  if (!Visible(kBlack, step)) return 0;
  const int last = kWhite - step - 1;
  int value = kBlack;
  while (value < last && Visible(value + 1, step)) ++value;
  return value == last && Visible(value + 1, step) ? kAlways : value;
}

}  // namespace

CambiThresholds VisibleSteps() {
  CambiThresholds thresholds{};
  for (uint32_t step = 1; step <= kCambiSteps; ++step) {
    thresholds.of_step[step - 1] = LargestVisible(static_cast<int>(step));
  }
  return thresholds;
}

uint32_t CambiWindow(uint32_t width, uint32_t height) {
  constexpr uint32_t kSide = 65;        // at full size of 3840 x 2160
  constexpr uint32_t kSixteenth = 375;  // of the sum of its sides
  return (kSide * (width + height) / kSixteenth >> 4) | 1;
}

int CambiFlatThreshold(uint32_t width, uint32_t height) {
  const uint32_t tiles = (width >> 6) * (height >> 6);
  const int logarithm = tiles == 0 ? 0 : std::bit_width(tiles - 1);
  return (49 + 3 * (logarithm - 11) - 1) >> 1;
}

}  // namespace culprit::reference
