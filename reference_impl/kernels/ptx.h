// SPDX-License-Identifier: Apache-2.0
//
// The PTX of the kernels, zero-terminated; embedded from the .ptx files beside the sources at build
// time.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_PTX_H_
#define CULPRIT_REFERENCE_IMPL_KERNELS_PTX_H_

namespace culprit::reference::kernels {

extern const char* const kAdmCmPtx;
extern const char* const kAdmCsfPtx;
extern const char* const kAdmDecouplePtx;
extern const char* const kAdmDwtPtx;
extern const char* const kCambiPtx;
extern const char* const kCiedePtx;
extern const char* const kFillPtx;
extern const char* const kFloatAdmPtx;
extern const char* const kFloatMotionPtx;
extern const char* const kFloatVifPtx;
extern const char* const kIntegerSsimPtx;
extern const char* const kMomentPtx;
extern const char* const kMotionPtx;
extern const char* const kMotionV2Ptx;
extern const char* const kMsSsimPtx;
extern const char* const kPsnrHvsPtx;
extern const char* const kPsnrPtx;
extern const char* const kSpeedPtx;
extern const char* const kSsimPtx;
extern const char* const kSsimulacra2BlurPtx;
extern const char* const kSsimulacra2ColorPtx;
extern const char* const kVifPtx;

}  // namespace culprit::reference::kernels

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_PTX_H_
