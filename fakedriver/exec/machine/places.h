// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a place, for handlers outside lanes/.
#ifndef FAKEDRIVER_EXEC_MACHINE_PLACES_H_
#define FAKEDRIVER_EXEC_MACHINE_PLACES_H_

#include <cstdint>

#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec {

template <typename T>
T* LanesAt(const Warp& w, Place place) {
  return reinterpret_cast<T*>(At(w, place));
}

inline uint32_t& PredicateAt(const Warp& w, Place place) { return *LanesAt<uint32_t>(w, place); }

// Bits of the running lanes change, the others stay.
inline void SetPredicate(const Warp& w, Place place, uint32_t value) {
  uint32_t& p = PredicateAt(w, place);
  p = (p & ~w.mask) | (value & w.mask);
}

template <typename Visit>
void ForEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(__builtin_ctz(mask)));
}

inline uint32_t FirstLane(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_PLACES_H_
