// SPDX-License-Identifier: Apache-2.0
//
// How the indices of additive impairment and detail loss come back into a picture or a band.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BORDERS_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BORDERS_CUH_

// Of the wavelet transform: whole-sample mirror at the start, half-sample mirror at the end.
__device__ inline int WaveletMirror(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 1 - i : i; }

// Of the masking threshold: mirrored at the start, repeated at the end.
__device__ inline int NeighbourMirror(int i, int n) { return i < 0 ? 1 : min(i, n - 1); }

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BORDERS_CUH_
