// SPDX-License-Identifier: Apache-2.0
//
// ld and st. Fast when all lanes are aligned and inside one live allocation; neighbouring lanes at
// neighbouring addresses become vector copies. Everything else goes lane by lane through
// machine/memory.h.
#include "fakedriver/exec/lanes/memory_access.h"
#include "fakedriver/exec/machine/control.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// Instruction fields: a is the address, `extra` the memory site. A scalar has its register in d,
// and c is 1; a vector has c elements, whose registers are in vectors[b].
CULPRIT_INLINE Place ElementPlace(const Warp& w, const Instruction* i, Place scalar, uint32_t n) {
  return i->c == 1 ? scalar : w.frame->code->vectors[i->b].places[n];
}

template <typename E, typename R, StateSpace kSpace>
bool LoadSlowly(Warp& w, const Instruction* i, const uint64_t* addresses) {
  Access access;
  access.at = i;
  access.space = kSpace;
  access.kind = AccessKind::kLoad;
  access.bytes = sizeof(E);
  const uint32_t count = i->c;
  access.align = count * static_cast<uint32_t>(sizeof(E));
  uint64_t at[kLanes];
  alignas(64) E values[kLanes];
  for (uint32_t n = 0; n < count; ++n) {
    CULPRIT_EACH_LANE { at[l] = addresses[l] + n * sizeof(E); }
    if (!LoadLanes(w, access, at, reinterpret_cast<std::byte*>(values), sizeof(E))) return false;
    access.align = sizeof(E);
    Assign(w, Lanes<R>(w, ElementPlace(w, i, i->d, n)),
           [&](uint32_t l) { return static_cast<R>(values[l]); });
  }
  return true;
}

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

// Whether all lanes have the same aligned offset inside their local memory.
template <typename E>
CULPRIT_INLINE bool IsRow(const Warp& w, const uint64_t* addresses, uint32_t count) {
  uint64_t size = w.frame->local_base + w.frame->local_bytes;
  Survey s = Look(addresses, 0, size, count * sizeof(E), 0);
  return s.outside == 0 && s.differ == 0 && (s.bits & (count * sizeof(E) - 1)) == 0;
}

template <typename E, typename R, StateSpace kSpace>
const Instruction* Load(Warp& w, const Instruction* i) {
  alignas(64) uint64_t addresses[kLanes];
  GatherAddresses(w, i, addresses);
  const uint32_t count = i->c;
  const uint32_t bytes = count * static_cast<uint32_t>(sizeof(E));
  uint64_t window = kSpace == StateSpace::kShared ? 1 : kSpace == StateSpace::kLocal ? 2 : 0;
  if (kSpace == StateSpace::kGeneric) {
    window = CommonWindow(addresses);
    const uint64_t start = window << 56;
    if (window == 1 || window == 2) CULPRIT_EACH_LANE {
        addresses[l] -= start;
      }
  }
  if (window == 2 && IsRow<E>(w, addresses, count)) {
    for (uint32_t n = 0; n < count; ++n)
      LoadRow<E, R>(w, ElementPlace(w, i, i->d, n), addresses[0] + n * sizeof(E));
    return i + 1;
  }
  if (window <= 1) {
    const RangeHint& hint = w.hints[i->extra];
    const bool shared = window == 1;
    Survey s = Look(addresses, shared ? 0 : hint.base,
                    shared ? w.shared_bytes : hint.end - hint.base, bytes, sizeof(E));
    if (__builtin_expect(s.outside == 0 && (s.bits & (bytes - 1)) == 0 &&
                             (shared ? w.plain_shared : hint.plain_load),
                         1)) {
      const uintptr_t origin = reinterpret_cast<uintptr_t>(shared ? w.shared : hint.origin);
      if (count == 1 && s.strided == 0) {
        const E* source = reinterpret_cast<const E*>(origin + addresses[0]);
        Assign(w, Lanes<R>(w, i->d), [=](uint32_t l) { return static_cast<R>(source[l]); });
        return i + 1;
      }
      for (uint32_t n = 0; n < count; ++n) {
        R* d = Lanes<R>(w, ElementPlace(w, i, i->d, n));
        const uintptr_t element = origin + n * sizeof(E);
        if (s.differ == 0) {
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
  }
  const uint64_t some = addresses[__builtin_ctz(w.mask)];
  if (kSpace == StateSpace::kGeneric && (window == 1 || window == 2)) {
    const uint64_t start = window << 56;
    CULPRIT_EACH_LANE { addresses[l] += start; }
  }
  if (!LoadSlowly<E, R, kSpace>(w, i, addresses)) return nullptr;
  if (window == 0) Remember(w, i->extra, some);
  return i + 1;
}

template <typename E, typename R, StateSpace kSpace>
bool StoreSlowly(Warp& w, const Instruction* i, const uint64_t* addresses) {
  Access access;
  access.at = i;
  access.space = kSpace;
  access.kind = AccessKind::kStore;
  access.bytes = sizeof(E);
  const uint32_t count = i->c;
  access.align = count * static_cast<uint32_t>(sizeof(E));
  uint64_t at[kLanes];
  alignas(64) E values[kLanes];
  for (uint32_t n = 0; n < count; ++n) {
    const R* source = Lanes<R>(w, ElementPlace(w, i, i->d, n));
    CULPRIT_EACH_LANE {
      at[l] = addresses[l] + n * sizeof(E);
      values[l] = static_cast<E>(source[l]);
    }
    if (!StoreLanes(w, access, at, reinterpret_cast<const std::byte*>(values), sizeof(E)))
      return false;
    access.align = sizeof(E);
  }
  return true;
}

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
  GatherAddresses(w, i, addresses);
  const uint32_t count = i->c;
  const uint32_t bytes = count * static_cast<uint32_t>(sizeof(E));
  uint64_t window = kSpace == StateSpace::kShared ? 1 : kSpace == StateSpace::kLocal ? 2 : 0;
  if (kSpace == StateSpace::kGeneric) {
    window = CommonWindow(addresses);
    const uint64_t start = window << 56;
    if (window == 1 || window == 2) CULPRIT_EACH_LANE {
        addresses[l] -= start;
      }
  }
  if (window == 2 && IsRow<E>(w, addresses, count)) {
    for (uint32_t n = 0; n < count; ++n)
      StoreRow<E, R>(w, ElementPlace(w, i, i->d, n), addresses[0] + n * sizeof(E));
    return i + 1;
  }
  if (window <= 1) {
    const RangeHint& hint = w.hints[i->extra];
    const bool shared = window == 1;
    Survey s = Look(addresses, shared ? 0 : hint.base,
                    shared ? w.shared_bytes : hint.end - hint.base, bytes, sizeof(E));
    if (__builtin_expect(s.outside == 0 && (s.bits & (bytes - 1)) == 0 &&
                             (shared ? w.plain_shared : hint.plain_store),
                         1)) {
      const uintptr_t origin = reinterpret_cast<uintptr_t>(shared ? w.shared : hint.origin);
      if (count == 1 && s.strided == 0 && w.full != 0) {
        E* target = reinterpret_cast<E*>(origin + addresses[0]);
        const R* source = Lanes<R>(w, i->d);
        CULPRIT_EACH_LANE { target[l] = static_cast<E>(source[l]); }
        return i + 1;
      }
      for (uint32_t n = 0; n < count; ++n) {
        const R* source = Lanes<R>(w, ElementPlace(w, i, i->d, n));
        const uintptr_t element = origin + n * sizeof(E);
        for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
          uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
          *reinterpret_cast<E*>(element + addresses[l]) = static_cast<E>(source[l]);
        }
      }
      return i + 1;
    }
  }
  const uint64_t some = addresses[__builtin_ctz(w.mask)];
  if (kSpace == StateSpace::kGeneric && (window == 1 || window == 2)) {
    const uint64_t start = window << 56;
    CULPRIT_EACH_LANE { addresses[l] += start; }
  }
  if (!StoreSlowly<E, R, kSpace>(w, i, addresses)) return nullptr;
  if (window == 0) Remember(w, i->extra, some);
  return i + 1;
}

template <StateSpace kSpace>
Handler LoadHandler(Type type, uint32_t register_bits) {
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

template <StateSpace kSpace>
Handler StoreHandler(Type type, uint32_t register_bits) {
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

Handler HandlerFor(bool load, StateSpace space, Type type, uint32_t register_bits) {
  if (register_bits < Bits(type)) return nullptr;
  switch (space) {
    case StateSpace::kGlobal:
      return load ? LoadHandler<StateSpace::kGlobal>(type, register_bits)
                  : StoreHandler<StateSpace::kGlobal>(type, register_bits);
    case StateSpace::kShared:
      return load ? LoadHandler<StateSpace::kShared>(type, register_bits)
                  : StoreHandler<StateSpace::kShared>(type, register_bits);
    case StateSpace::kLocal:
      return load ? LoadHandler<StateSpace::kLocal>(type, register_bits)
                  : StoreHandler<StateSpace::kLocal>(type, register_bits);
    default:
      return load ? LoadHandler<StateSpace::kGeneric>(type, register_bits)
                  : StoreHandler<StateSpace::kGeneric>(type, register_bits);
  }
}

// A register operand's width; literals and sinks have that of the instruction.
Type HolderOf(const Lowering& lo, const Operand& operand, Type type) {
  Type holder = lo.RegisterType(operand);
  if (holder == Type::kNone) return Bits(type) < 16 ? Type::kU16 : type;
  return holder;
}

void LowerAccess(Lowering& lo, bool load) {
  Type type = lo.type();
  const Operand& value = lo.operand(load ? 0 : 1);
  const bool vector = value.kind == Operand::Kind::kVector;
  const uint32_t count = vector ? value.count : 1;
  if (count != 1 && count != 2 && count != 4 && count != 8) lo.FailArguments();
  AddressPlaces address = lo.Address(load ? 1 : 0);
  Instruction access;
  access.a = address.base;
  access.immediate = address.offset;
  access.c = count;
  Type holder = HolderOf(lo, vector ? lo.member(value, 0) : value, type);
  if (vector) {
    VectorInfo elements;
    elements.count = static_cast<uint8_t>(count);
    for (uint32_t n = 0; n < count; ++n) {
      const Operand& element = lo.member(value, n);
      if (element.kind == Operand::Kind::kRegister) holder = lo.RegisterType(element);
    }
    for (uint32_t n = 0; n < count; ++n) {
      const Operand& element = lo.member(value, n);
      elements.places[n] = load ? lo.Write(element, holder) : lo.Read(element, holder);
    }
    access.b = lo.AddVector(elements);
    // One register stands for the element when there is one only.
    if (count == 1) access.d = elements.places[0];
  } else {
    access.d = load ? lo.Write(value, holder) : lo.Read(value, holder);
  }
  Handler handler = HandlerFor(load, address.space, type, Bits(holder));
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  bool ordered = lo.Has(Modifier::kVolatile) || lo.Has(Modifier::kRelaxed) ||
                 lo.Has(Modifier::kAcquire) || lo.Has(Modifier::kRelease) ||
                 lo.Has(Modifier::kMmio) || lo.Has(Modifier::kSc);
  if (ordered) lo.Emit(machine::OrderedAccess);
  access.extra = lo.NewMemorySite();
  Instruction& i = lo.Emit(handler);
  access.handler = handler;
  access.text = i.text;
  i = access;
}

}  // namespace

void LowerLd(Lowering& lo) { LowerAccess(lo, true); }
void LowerSt(Lowering& lo) { LowerAccess(lo, false); }

}  // namespace culprit::exec::CULPRIT_LANES
