// SPDX-License-Identifier: Apache-2.0
//
// How the lanes of one access lie to each other and to memory, found in one pass of ORs over the 32
// addresses.
#ifndef FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_
#define FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_

#include "fakedriver/exec/lanes/lanes.h"
#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/touched_bits.h"

namespace culprit::exec::CULPRIT_LANES {

// Addresses of all lanes; those of lanes that do not run are replaced by one that does, so that
// reading them is harmless.
CULPRIT_INLINE void GatherAddresses(const Warp& w, const Instruction* i, uint64_t* addresses) {
  const uint64_t* base = Lanes<uint64_t>(w, i->a);
  const uint64_t offset = static_cast<uint64_t>(i->immediate);
  if (__builtin_expect(w.full, 1)) {
    CULPRIT_EACH_LANE { addresses[l] = base[l] + offset; }
  } else {
    const uint32_t mask = w.mask;
    const uint64_t some = base[__builtin_ctz(mask)] + offset;
    CULPRIT_EACH_LANE { addresses[l] = (mask >> l & 1) != 0 ? base[l] + offset : some; }
  }
}

struct Survey {
  uint64_t bits;     // OR of the addresses: alignment
  uint64_t differ;   // 0: all lanes have the same address
  uint64_t strided;  // 0: lane l is at the first address plus l * stride
  uint64_t outside;  // 0: all inside [base, base + size - bytes]
};

CULPRIT_INLINE Survey Look(const uint64_t* addresses, uint64_t base, uint64_t size, uint64_t bytes,
                           uint64_t stride) {
  Survey s{0, 0, 0, 0};
  const uint64_t first = addresses[0];
  const uint64_t limit = size - bytes;
  CULPRIT_EACH_LANE {
    uint64_t address = addresses[l];
    s.bits |= address;
    s.differ |= address ^ first;
    s.strided |= (address - first) ^ (l * stride);
    s.outside |= address - base > limit ? uint64_t{1} : uint64_t{0};
  }
  if (size < bytes) s.outside = 1;
  return s;
}

// Which window all addresses are in: 0 device memory, 1 shared, 2 local, or another number when
// they differ.
CULPRIT_INLINE uint64_t CommonWindow(const uint64_t* addresses) {
  uint64_t differ = 0;
  CULPRIT_EACH_LANE { differ |= addresses[l] ^ addresses[0]; }
  return differ >> 56 != 0 ? 255 : addresses[0] >> 56;
}

// Where the lanes of an access lie.
enum class Way : uint8_t {
  kRow,     // local memory, all at the same aligned offset
  kDirect,  // aligned and inside one live allocation or shared memory, with nothing to note
  kSlow
};
struct Located {
  Way way;
  bool strided;       // lane l is l elements behind the first
  bool same;          // all at one address
  uint64_t window;    // see CommonWindow
  uintptr_t origin;   // of kDirect: host address of address 0
  uint64_t* touched;  // of kDirect: where the access is to be noted, or null
  uint64_t first;     // address of its first bit
};

// Instruction fields: a is the address, `extra` the memory site. A scalar has its register in d,
// and c is 1; a vector has c elements, whose registers are in vectors[b].
CULPRIT_INLINE Place ElementPlace(const Warp& w, const Instruction* i, uint32_t n) {
  return i->c == 1 ? i->d : w.frame->code->vectors[i->b].places[n];
}

// Whether all lanes have the same aligned offset inside their local memory.
template <typename E>
CULPRIT_INLINE bool IsRow(const Warp& w, const uint64_t* addresses, uint32_t count) {
  uint64_t size = w.frame->local_base + w.frame->local_bytes;
  Survey s = Look(addresses, 0, size, count * sizeof(E), 0);
  return s.outside == 0 && s.differ == 0 && (s.bits & (count * sizeof(E) - 1)) == 0;
}

CULPRIT_INLINE bool HasOffsets(uint64_t window) { return window == 1 || window == 2; }

// Fills `addresses`; generic ones become offsets where their window has its own memory.
template <typename E, StateSpace kSpace, bool kLoad>
CULPRIT_INLINE Located Locate(const Warp& w, const Instruction* i, uint64_t* addresses) {
  GatherAddresses(w, i, addresses);
  const uint32_t count = i->c;
  const uint32_t bytes = count * static_cast<uint32_t>(sizeof(E));
  Located located{Way::kSlow, false, false, 0, 0, nullptr, 0};
  located.window = kSpace == StateSpace::kShared ? 1 : kSpace == StateSpace::kLocal ? 2 : 0;
  if (kSpace == StateSpace::kGeneric) {
    located.window = CommonWindow(addresses);
    const uint64_t start = located.window << 56;
    if (HasOffsets(located.window)) CULPRIT_EACH_LANE {
        addresses[l] -= start;
      }
  }
  if (located.window == 2 && IsRow<E>(w, addresses, count)) located.way = Way::kRow;
  if (located.window > 1) return located;
  const RangeHint& hint = w.hints[i->extra];
  const bool shared = located.window == 1;
  const Survey s = Look(addresses, shared ? 0 : hint.base,
                        shared ? w.shared_bytes : hint.end - hint.base, bytes, sizeof(E));
  const bool plain = shared ? w.plain_shared : kLoad ? hint.plain_load : hint.plain_store;
  if (__builtin_expect(s.outside == 0 && (s.bits & (bytes - 1)) == 0 && plain, 1)) {
    located.way = Way::kDirect;
    located.strided = s.strided == 0;
    located.same = s.differ == 0;
    located.origin = reinterpret_cast<uintptr_t>(shared ? w.shared : hint.origin);
    if (!shared) {
      located.touched = kLoad ? hint.read_bits : hint.written_bits;
      located.first = FirstTouched(hint.base);
    }
  }
  return located;
}

// Whether each lane is as far from the one before it, but for the two in the middle: blocks of 16
// threads in a row have two rows in a warp.
CULPRIT_INLINE bool HasEvenHalves(const uint64_t* addresses) {
  const uint64_t low = addresses[0];
  const uint64_t high = addresses[kLanes / 2];
  const uint64_t step = addresses[1] - low;
  uint64_t uneven = 0;
  CULPRIT_EACH_LANE {
    uneven |= (addresses[l] - (l < kLanes / 2 ? low : high)) ^ (l % (kLanes / 2) * step);
  }
  return uneven == 0;
}

// Of a direct access, after Locate.
template <typename E>
CULPRIT_INLINE void NoteTouched(const Warp& w, const Instruction* i, const Located& located,
                                const uint64_t* addresses) {
  if (__builtin_expect(located.touched == nullptr, 1)) return;
  if (i->c == 1 && located.strided && w.mask == UINT32_MAX) {
    Touch(located.touched, addresses[0] - located.first, kLanes * sizeof(E));
  } else if (w.mask == UINT32_MAX && HasEvenHalves(addresses)) {
    TouchHalves(located.touched, located.first, w.hints[i->extra].noted.data(), addresses,
                i->c * static_cast<uint32_t>(sizeof(E)));
  } else {
    TouchLanes(located.touched, located.first, addresses, w.mask,
               i->c * static_cast<uint32_t>(sizeof(E)));
  }
}

// Element by element through machine/memory.h: `element` gets its number, the addresses of the
// lanes and what the access is, and returns false at a fault.
template <typename E, StateSpace kSpace, typename Element>
CULPRIT_INLINE const Instruction* Slowly(Warp& w, const Instruction* i, uint64_t* addresses,
                                         uint64_t window, AccessKind kind, Element element) {
  const uint64_t some = addresses[__builtin_ctz(w.mask)];
  if (kSpace == StateSpace::kGeneric && HasOffsets(window)) {
    const uint64_t start = window << 56;
    CULPRIT_EACH_LANE { addresses[l] += start; }
  }
  Access access;
  access.at = i;
  access.space = kSpace;
  access.kind = kind;
  access.bytes = sizeof(E);
  access.align = i->c * static_cast<uint32_t>(sizeof(E));
  for (uint32_t n = 0; n < i->c; ++n) {
    uint64_t at[kLanes];
    CULPRIT_EACH_LANE { at[l] = addresses[l] + n * sizeof(E); }
    if (!element(n, at, access)) return nullptr;
    access.align = sizeof(E);
  }
  if (window == 0) Remember(w, i->extra, some);
  return i + 1;
}

// The handlers; null where the register is narrower than the type or the type is none of memory.
Handler LoadHandler(StateSpace space, Type type, uint32_t register_bits);
Handler StoreHandler(StateSpace space, Type type, uint32_t register_bits);

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_
