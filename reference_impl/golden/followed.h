// SPDX-License-Identifier: Apache-2.0
//
// Which extractor follows which golden feature, and how closely.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_FOLLOWED_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_FOLLOWED_H_

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference_impl/testing/golden_scores.h"

namespace culprit::reference::testing {

struct Followed {
  const char* feature;     // of the golden files
  const char* extractor;   // of the registry
  const char* key_prefix;  // of its keys, before the golden ones
  double tolerance;        // 0: bit for bit
  const char* owner = "";  // of its modules: a file below extractor/
};

// Extractors that need no driver.
inline constexpr Followed kFollowedOnHost[] = {
    {"motion", "motion_cpu", "", 0},
    {"motion", "motion_loopback", "loopback_", 0},
    {"psnr", "psnr_cpu", "", 0},
};

inline constexpr Followed kFollowedOnDevice[] = {
    {"motion", "motion", "", 0, "motion/motion_cuda.h"},
    {"psnr", "psnr", "", 0, "psnr/psnr_cuda.h"},
    {"float_psnr", "float_psnr", "", 1e-9, "float_psnr/float_psnr_cuda.h"},
    {"float_moment", "float_moment", "", 0, "moment/moment_cuda.h"},
    {"motion_v2", "motion_v2", "", 0, "motion_v2/motion_v2_cuda.h"},
    {"float_motion", "float_motion", "", 1e-4, "float_motion/float_motion_cuda.h"},
    {"vif", "vif", "", 0, "vif/vif_cuda.h"},
    {"adm", "adm", "", 2e-6, "adm/adm_cuda.h"},
    {"float_ssim", "float_ssim", "", 2e-5, "ssim/float_ssim_cuda.h"},
    {"float_vif", "float_vif", "", 6e-5, "float_vif/float_vif_cuda.h"},
    {"float_adm", "float_adm", "", 2e-6, "float_adm/float_adm_cuda.h"},
    {"float_ms_ssim", "float_ms_ssim", "", 5e-6, "ms_ssim/ms_ssim_cuda.h"},
    {"ssim", "ssim", "", 1e-9, "integer_ssim/integer_ssim_cuda.h"},
    {"ciede", "ciede", "", 7e-6, "ciede/ciede_cuda.h"},
    {"psnr_hvs", "psnr_hvs", "", 1e-3, "psnr_hvs/psnr_hvs_cuda.h"},
    {"speed_chroma", "speed_chroma", "", 1e-4, "speed/speed_chroma_cuda.h"},
    {"speed_temporal", "speed_temporal", "", 1e-4, "speed/speed_temporal_cuda.h"},
    {"cambi", "cambi", "", 0, "cambi/cambi_cuda.h"},
    {"ssimulacra2", "ssimulacra2", "", 1e-3, "ssimulacra2/ssimulacra2_cuda.h"},
};

// Of those above; the small clips are too small for them.
inline constexpr Followed kFollowedOnLargeClips[] = {
    {"float_ms_ssim", "float_ms_ssim", "", 5e-6},
    {"speed_chroma", "speed_chroma", "", 1e-4},
    {"speed_temporal", "speed_temporal", "", 1e-4},
    {"cambi", "cambi", "", 0},
};

inline constexpr const char* kGoldenClips[] = {
    "a160_8",  "b176_8",   "b176_10", "c161_8", "d256_8",   "d256_10", "e320_8",
    "f176s_8", "g176_444", "j64_1",   "k64_2",  "l161_444", "n640_8"};

// Clips that are generated and have no golden scores are only compared with themselves.
inline bool HasGoldenScores(std::string_view clip) {
  return std::find(std::begin(kGoldenClips), std::end(kGoldenClips), clip) !=
         std::end(kGoldenClips);
}

// The largest difference over every set of options that the clip's golden file in `folder` has for
// the feature; nothing if it has none, because the original refuses the clip. `make_state` gives
// the state of each run, or null. Throws std::runtime_error.
std::optional<Difference> LargestDifference(
    const std::string& folder, const Followed& followed, const std::string& clip, uint32_t threads,
    const std::function<std::unique_ptr<State>()>& make_state);

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_FOLLOWED_H_
