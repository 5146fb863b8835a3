// SPDX-License-Identifier: Apache-2.0
//
// Stores. Neighbouring lanes at neighbouring addresses become vector copies.
#include "fakedriver/exec/lanes/memory_access.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename E, typename R>
CULPRIT_INLINE void StoreRow(Warp& w, Place s, uint64_t offset) {
  uint32_t* row = w.local.data() + offset / 4 * kLanes;
  const R* source = Lanes<R>(w, s);
  if constexpr (sizeof(E) == 8) {
    Assign(w, row, [=](uint32_t l) { return static_cast<uint32_t>(source[l]); });
    Assign(w, row + kLanes, [=](uint32_t l) {
      return static_cast<uint32_t>(static_cast<uint64_t>(source[l]) >> 32);
    });
  } else if constexpr (sizeof(E) == 4) {
    Assign(w, row, [=](uint32_t l) { return static_cast<uint32_t>(source[l]); });
  } else {
    const uint32_t shift = static_cast<uint32_t>(offset % 4) * 8;
    const uint32_t mask = static_cast<uint32_t>(static_cast<E>(~E{0})) << shift;
    Assign(w, row, [=](uint32_t l) {
      return (row[l] & ~mask) | (static_cast<uint32_t>(source[l]) << shift & mask);
    });
  }
}

template <typename E, typename R, StateSpace kSpace>
const Instruction* Store(Warp& w, const Instruction* i) {
  alignas(64) uint64_t addresses[kLanes];
  const Located located = Locate<E, kSpace, false>(w, i, addresses);
  if (__builtin_expect(located.way == Way::kDirect, 1)) {
    NoteTouched<E>(w, i, located, addresses);
    // A split can be full with lanes that have ended, and those write nothing.
    if (i->c == 1 && located.strided && w.mask == UINT32_MAX) {
      E* target = reinterpret_cast<E*>(located.origin + addresses[0]);
      const R* source = Lanes<R>(w, i->d);
      CULPRIT_EACH_LANE { target[l] = static_cast<E>(source[l]); }
      return i + 1;
    }
    for (uint32_t n = 0; n < i->c; ++n) {
      const R* source = Lanes<R>(w, ElementPlace(w, i, n));
      const uintptr_t element = located.origin + n * sizeof(E);
      for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
        uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
        *reinterpret_cast<E*>(element + addresses[l]) = static_cast<E>(source[l]);
      }
    }
    return i + 1;
  }
  if (located.way == Way::kRow) {
    for (uint32_t n = 0; n < i->c; ++n)
      StoreRow<E, R>(w, ElementPlace(w, i, n), addresses[0] + n * sizeof(E));
    return i + 1;
  }
  return Slowly<E, kSpace>(
      w, i, addresses, located.window, AccessKind::kStore,
      [&](uint32_t n, const uint64_t* at, const Access& access) {
        alignas(64) E values[kLanes];
        const R* source = Lanes<R>(w, ElementPlace(w, i, n));
        CULPRIT_EACH_LANE { values[l] = static_cast<E>(source[l]); }
        return StoreLanes(w, access, at, reinterpret_cast<const std::byte*>(values), sizeof(E));
      });
}

template <StateSpace kSpace>
Handler ForType(Type type, uint32_t register_bits) {
  const bool r16 = register_bits <= 16;
  const bool r32 = register_bits == 32;
  switch (Bits(type)) {
    case 8:
      return r16   ? Store<uint8_t, uint16_t, kSpace>
             : r32 ? Store<uint8_t, uint32_t, kSpace>
                   : Store<uint8_t, uint64_t, kSpace>;
    case 16:
      return r16   ? Store<uint16_t, uint16_t, kSpace>
             : r32 ? Store<uint16_t, uint32_t, kSpace>
                   : Store<uint16_t, uint64_t, kSpace>;
    case 32:
      return r32 ? Store<uint32_t, uint32_t, kSpace> : Store<uint32_t, uint64_t, kSpace>;
    case 64:
      return Store<uint64_t, uint64_t, kSpace>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler StoreHandler(StateSpace space, Type type, uint32_t register_bits) {
  if (register_bits < Bits(type)) return nullptr;
  switch (space) {
    case StateSpace::kGlobal:
      return ForType<StateSpace::kGlobal>(type, register_bits);
    case StateSpace::kShared:
      return ForType<StateSpace::kShared>(type, register_bits);
    case StateSpace::kLocal:
      return ForType<StateSpace::kLocal>(type, register_bits);
    default:
      return ForType<StateSpace::kGeneric>(type, register_bits);
  }
}

}  // namespace culprit::exec::CULPRIT_LANES
