// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/registry.h"

#include "reference_impl/extractor/adm/adm_cuda.h"
#include "reference_impl/extractor/cambi/cambi_cuda.h"
#include "reference_impl/extractor/ciede/ciede_cuda.h"
#include "reference_impl/extractor/float_adm/float_adm_cuda.h"
#include "reference_impl/extractor/float_motion/float_motion_cuda.h"
#include "reference_impl/extractor/float_psnr/float_psnr_cuda.h"
#include "reference_impl/extractor/float_vif/float_vif_cuda.h"
#include "reference_impl/extractor/integer_ssim/integer_ssim_cuda.h"
#include "reference_impl/extractor/moment/moment_cuda.h"
#include "reference_impl/extractor/motion/motion_cpu.h"
#include "reference_impl/extractor/motion/motion_cuda.h"
#include "reference_impl/extractor/motion/motion_loopback.h"
#include "reference_impl/extractor/motion_v2/motion_v2_cuda.h"
#include "reference_impl/extractor/ms_ssim/ms_ssim_cuda.h"
#include "reference_impl/extractor/psnr/psnr_cpu.h"
#include "reference_impl/extractor/psnr/psnr_cuda.h"
#include "reference_impl/extractor/psnr_hvs/psnr_hvs_cuda.h"
#include "reference_impl/extractor/speed/speed_chroma_cuda.h"
#include "reference_impl/extractor/speed/speed_temporal_cuda.h"
#include "reference_impl/extractor/ssim/float_ssim_cuda.h"
#include "reference_impl/extractor/ssimulacra2/ssimulacra2_cuda.h"
#include "reference_impl/extractor/vif/vif_cuda.h"

namespace culprit::reference {
namespace {

constexpr const char* kMotionKeys[] = {"integer_motion", "integer_motion2", "integer_motion3",
                                       nullptr};
constexpr const char* kLoopbackKeys[] = {"loopback_integer_motion", "loopback_integer_motion2",
                                         "loopback_integer_motion3", nullptr};
constexpr const char* kMomentKeys[] = {"float_moment_ref1st", "float_moment_dis1st",
                                       "float_moment_ref2nd", "float_moment_dis2nd", nullptr};
constexpr const char* kFloatPsnrKeys[] = {"float_psnr", nullptr};
constexpr const char* kFloatMotionKeys[] = {"motion", "motion2", "motion3", nullptr};
constexpr const char* kMotionV2Keys[] = {"VMAF_integer_feature_motion_v2_sad_score",
                                         "VMAF_integer_feature_motion2_v2_score",
                                         "VMAF_integer_feature_motion3_v2_score", nullptr};
constexpr const char* kVifKeys[] = {"integer_vif_scale0", "integer_vif_scale1",
                                    "integer_vif_scale2", "integer_vif_scale3", nullptr};
constexpr const char* kAdmKeys[] = {
    "integer_adm2",       "integer_adm3",       "integer_adm_scale0", "integer_adm_scale1",
    "integer_adm_scale2", "integer_adm_scale3", "integer_aim",        nullptr};
constexpr const char* kFloatVifKeys[] = {"vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3",
                                         nullptr};
constexpr const char* kFloatAdmKeys[] = {"adm2",       "adm3",       "adm_scale0", "adm_scale1",
                                         "adm_scale2", "adm_scale3", "aim",        nullptr};
constexpr const char* kMsSsimKeys[] = {"float_ms_ssim", nullptr};
constexpr const char* kSsimKeys[] = {"ssim", nullptr};
constexpr const char* kCiedeKeys[] = {"ciede2000", nullptr};
constexpr const char* kPsnrHvsKeys[] = {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr", "psnr_hvs",
                                        nullptr};
constexpr const char* kFloatSsimKeys[] = {"float_ssim", nullptr};
constexpr const char* kSpeedChromaKeys[] = {"speed_chroma_u", "speed_chroma_v", "speed_chroma_uv",
                                            nullptr};
constexpr const char* kSpeedTemporalKeys[] = {"speed_temporal", nullptr};
constexpr const char* kCambiKeys[] = {"cambi", nullptr};
constexpr const char* kSsimulacra2Keys[] = {"ssimulacra2", nullptr};
constexpr const char* kPsnrKeys[] = {"psnr_y", "psnr_cb", "psnr_cr", nullptr};

template <typename Kind>
std::unique_ptr<Extractor> Make() {
  return std::make_unique<Kind>();
}

// A twin writes the keys of the extractor it is the twin of, so the two are not used in one
// session.
constexpr ExtractorDescriptor kExtractors[] = {
    {"motion", Backend::kCuda, /*temporal=*/true, Placement::kRegistered, kMotionKeys,
     &Make<MotionCuda>},
    {"motion_cpu", Backend::kCpu, true, Placement::kRegistered, kMotionKeys, &Make<MotionCpu>},
    {"motion_loopback", Backend::kLoopback, true, Placement::kRegistered, kLoopbackKeys,
     &Make<MotionLoopback>},
    {"psnr", Backend::kCuda, false, Placement::kWorkerPrivate, kPsnrKeys, &Make<PsnrCuda>},
    {"motion_v2", Backend::kCuda, true, Placement::kRegistered, kMotionV2Keys, &Make<MotionV2Cuda>},
    {"float_motion", Backend::kCuda, true, Placement::kRegistered, kFloatMotionKeys,
     &Make<FloatMotionCuda>},
    {"vif", Backend::kCuda, false, Placement::kRegistered, kVifKeys, &Make<VifCuda>},
    {"adm", Backend::kCuda, false, Placement::kRegistered, kAdmKeys, &Make<AdmCuda>},
    {"float_ssim", Backend::kCuda, false, Placement::kRegistered, kFloatSsimKeys,
     &Make<FloatSsimCuda>},
    {"float_moment", Backend::kCuda, false, Placement::kContextPool, kMomentKeys,
     &Make<MomentCuda>},
    {"float_psnr", Backend::kCuda, false, Placement::kRegistered, kFloatPsnrKeys,
     &Make<FloatPsnrCuda>},
    {"speed_chroma",
     Backend::kCuda,
     false,
     Placement::kContextPool,
     kSpeedChromaKeys,
     &Make<SpeedChromaCuda>,
     {160, 160}},
    {"speed_temporal",
     Backend::kCuda,
     true,
     Placement::kRegistered,
     kSpeedTemporalKeys,
     &Make<SpeedTemporalCuda>,
     {80, 80}},
    {"cambi",
     Backend::kCuda,
     false,
     Placement::kWorkerPrivate,
     kCambiKeys,
     &Make<CambiCuda>,
     {216, 16}},
    {"ssimulacra2",
     Backend::kCuda,
     false,
     Placement::kRegistered,
     kSsimulacra2Keys,
     &Make<Ssimulacra2Cuda>,
     {8, 8}},
    {"float_vif", Backend::kCuda, false, Placement::kRegistered, kFloatVifKeys,
     &Make<FloatVifCuda>},
    {"float_adm", Backend::kCuda, false, Placement::kRegistered, kFloatAdmKeys,
     &Make<FloatAdmCuda>},
    {"float_ms_ssim",
     Backend::kCuda,
     false,
     Placement::kRegistered,
     kMsSsimKeys,
     &Make<MsSsimCuda>,
     {176, 176}},
    {"ssim", Backend::kCuda, false, Placement::kRegistered, kSsimKeys, &Make<IntegerSsimCuda>},
    {"ciede", Backend::kCuda, false, Placement::kRegistered, kCiedeKeys, &Make<CiedeCuda>},
    {"psnr_hvs", Backend::kCuda, false, Placement::kRegistered, kPsnrHvsKeys, &Make<PsnrHvsCuda>},
    {"psnr_cpu", Backend::kCpu, false, Placement::kContextPool, kPsnrKeys, &Make<PsnrCpu>},
};

}  // namespace

const char* NameOf(Backend backend) {
  switch (backend) {
    case Backend::kCpu:
      return "cpu";
    case Backend::kCuda:
      return "cuda";
    case Backend::kLoopback:
      return "loopback";
  }
  return "unknown";
}

std::span<const ExtractorDescriptor> AllExtractors() { return kExtractors; }

const ExtractorDescriptor* FindExtractor(std::string_view name) {
  for (const ExtractorDescriptor& descriptor : kExtractors) {
    if (name == descriptor.name) return &descriptor;
  }
  return nullptr;
}

}  // namespace culprit::reference
