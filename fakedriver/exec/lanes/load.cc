// SPDX-License-Identifier: Apache-2.0
//
// Loads. Neighbouring lanes at neighbouring addresses become vector copies.
#include "fakedriver/exec/lanes/memory_access.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// Rows of words: the same offset in all lanes is a row or a part of one.
template <typename E, typename R>
CULPRIT_INLINE void LoadRow(Warp& w, Place d, uint64_t offset) {
  const uint32_t* row = w.local.data() + offset / 4 * kLanes;
  if constexpr (sizeof(E) == 8) {
    Assign(w, Lanes<R>(w, d),
           [=](uint32_t l) { return static_cast<R>(uint64_t{row[kLanes + l]} << 32 | row[l]); });
  } else {
    const uint32_t shift = static_cast<uint32_t>(offset % 4) * 8;
    Assign(w, Lanes<R>(w, d),
           [=](uint32_t l) { return static_cast<R>(static_cast<E>(row[l] >> shift)); });
  }
}

template <typename E, typename R, StateSpace kSpace>
const Instruction* Load(Warp& w, const Instruction* i) {
  alignas(64) uint64_t addresses[kLanes];
  const Located located = Locate<E, kSpace, true>(w, i, addresses);
  if (__builtin_expect(located.way == Way::kDirect, 1)) {
    NoteTouched<E>(w, i, located, addresses);
    if (i->c == 1 && located.strided) {
      const E* source = reinterpret_cast<const E*>(located.origin + addresses[0]);
      Assign(w, Lanes<R>(w, i->d), [=](uint32_t l) { return static_cast<R>(source[l]); });
      return i + 1;
    }
    for (uint32_t n = 0; n < i->c; ++n) {
      R* d = Lanes<R>(w, ElementPlace(w, i, n));
      const uintptr_t element = located.origin + n * sizeof(E);
      if (located.same) {
        const R value = static_cast<R>(*reinterpret_cast<const E*>(element + addresses[0]));
        Assign(w, d, [=](uint32_t) { return value; });
      } else {
        R values[kLanes];
        for (uint32_t l = 0; l < kLanes; ++l)
          values[l] = static_cast<R>(*reinterpret_cast<const E*>(element + addresses[l]));
        Assign(w, d, [&](uint32_t l) { return values[l]; });
      }
    }
    return i + 1;
  }
  if (located.way == Way::kRow) {
    for (uint32_t n = 0; n < i->c; ++n)
      LoadRow<E, R>(w, ElementPlace(w, i, n), addresses[0] + n * sizeof(E));
    return i + 1;
  }
  return Slowly<E, kSpace>(
      w, i, addresses, located.window, AccessKind::kLoad,
      [&](uint32_t n, const uint64_t* at, const Access& access) {
        alignas(64) E values[kLanes];
        if (!LoadLanes(w, access, at, reinterpret_cast<std::byte*>(values), sizeof(E)))
          return false;
        Assign(w, Lanes<R>(w, ElementPlace(w, i, n)),
               [&](uint32_t l) { return static_cast<R>(values[l]); });
        return true;
      });
}

template <StateSpace kSpace>
Handler ForType(Type type, uint32_t register_bits) {
  const bool r16 = register_bits <= 16;
  const bool r32 = register_bits == 32;
  switch (Bits(type)) {
    case 8:
      if (IsSigned(type))
        return r16   ? Load<int8_t, uint16_t, kSpace>
               : r32 ? Load<int8_t, uint32_t, kSpace>
                     : Load<int8_t, uint64_t, kSpace>;
      return r16   ? Load<uint8_t, uint16_t, kSpace>
             : r32 ? Load<uint8_t, uint32_t, kSpace>
                   : Load<uint8_t, uint64_t, kSpace>;
    case 16:
      if (r16) return Load<uint16_t, uint16_t, kSpace>;
      if (IsSigned(type))
        return r32 ? Load<int16_t, uint32_t, kSpace> : Load<int16_t, uint64_t, kSpace>;
      return r32 ? Load<uint16_t, uint32_t, kSpace> : Load<uint16_t, uint64_t, kSpace>;
    case 32:
      if (r32) return Load<uint32_t, uint32_t, kSpace>;
      return IsSigned(type) ? Load<int32_t, uint64_t, kSpace> : Load<uint32_t, uint64_t, kSpace>;
    case 64:
      return Load<uint64_t, uint64_t, kSpace>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler LoadHandler(StateSpace space, Type type, uint32_t register_bits) {
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
