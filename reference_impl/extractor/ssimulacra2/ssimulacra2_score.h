// SPDX-License-Identifier: Apache-2.0
//
// From the means of the difference maps of every plane and scale to the score.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_SCORE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace culprit::reference {

inline constexpr uint32_t kSsimulacra2Planes = 3;
inline constexpr uint32_t kSsimulacra2Scales = 6;

// Of one plane of one scale: dissimilarity, edges that were added, edges that were lost.
struct Ssimulacra2Maps {
  std::array<double, 3> mean{};
  std::array<double, 3> mean_of_fourth{};
};

class Ssimulacra2Score {
 public:
  // A scale that a small picture does not have adds nothing.
  void Add(uint32_t plane, uint32_t scale, const Ssimulacra2Maps& maps);
  double Score() const;

 private:
  double errors_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_SSIMULACRA2_SCORE_H_
