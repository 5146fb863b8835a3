// SPDX-License-Identifier: Apache-2.0
//
// From 32 flags, each all ones or all zeros, to a predicate.
#ifndef FAKEDRIVER_EXEC_LANES_LANE_MASK_H_
#define FAKEDRIVER_EXEC_LANES_LANE_MASK_H_

#include "fakedriver/exec/lanes/lanes.h"

#if defined(__AVX512DQ__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace culprit::exec::CULPRIT_LANES {

CULPRIT_INLINE uint32_t PackFlags(const int32_t* flags) {
#if defined(__AVX512DQ__)
  uint32_t low = _mm512_movepi32_mask(_mm512_loadu_si512(flags));
  uint32_t high = _mm512_movepi32_mask(_mm512_loadu_si512(flags + 16));
  return high << 16 | low;
#elif defined(__AVX2__)
  uint32_t mask = 0;
  for (uint32_t n = 0; n < 4; ++n) {
    __m256 eight = _mm256_loadu_ps(reinterpret_cast<const float*>(flags + 8 * n));
    mask |= static_cast<uint32_t>(_mm256_movemask_ps(eight)) << (8 * n);
  }
  return mask;
#else
  uint32_t mask = 0;
  for (uint32_t l = 0; l < kLanes; ++l) mask |= (static_cast<uint32_t>(flags[l]) & 1) << l;
  return mask;
#endif
}

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_LANE_MASK_H_
