// SPDX-License-Identifier: Apache-2.0
//
// atom and red. Lanes act one after another in lane order, each with the host's own atomic
// operations, since other blocks may run on other threads.
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/half.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/places.h"

namespace culprit::exec::machine {
namespace {

// Operations as functions of the old value and the operand; cas takes a second one.
struct AddOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return static_cast<T>(old + a);
  }
};
struct MinOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return a < old ? a : old;
  }
};
struct MaxOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old < a ? a : old;
  }
};
struct AndOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old & a;
  }
};
struct OrOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old | a;
  }
};
struct XorOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old ^ a;
  }
};
struct ExchOp {
  template <typename T>
  static T Do(T, T a, T) {
    return a;
  }
};
struct CasOp {
  template <typename T>
  static T Do(T old, T a, T b) {
    return old == a ? b : old;
  }
};
struct IncOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old >= a ? 0 : old + 1;
  }
};
struct DecOp {
  template <typename T>
  static T Do(T old, T a, T) {
    return old == 0 || old > a ? a : old - 1;
  }
};

float FlushToZero(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

struct AddF32 {
  static uint32_t Do(uint32_t old, uint32_t a, uint32_t) {
    float sum = std::bit_cast<float>(old) + std::bit_cast<float>(a);
    return std::isnan(sum) ? 0x7fffffff : std::bit_cast<uint32_t>(sum);
  }
};
// Global memory flushes subnormal operands and results of this one; shared memory does not (PTX
// ISA, atom).
struct AddF32Flushed {
  static uint32_t Do(uint32_t old, uint32_t a, uint32_t) {
    float sum =
        FlushToZero(FlushToZero(std::bit_cast<float>(old)) + FlushToZero(std::bit_cast<float>(a)));
    return std::isnan(sum) ? 0x7fffffff : std::bit_cast<uint32_t>(sum);
  }
};
// Measured: in global memory a NaN operand is stored as it is and wins over one in memory; in
// shared memory, where the addition is the ordinary one, the one in memory wins and is quiet.
template <bool kShared>
struct AddF64 {
  static uint64_t Do(uint64_t old, uint64_t a, uint64_t) {
    const uint64_t first = kShared ? old : a;
    const uint64_t second = kShared ? a : old;
    for (uint64_t operand : {first, second}) {
      if (std::isnan(std::bit_cast<double>(operand)))
        return kShared ? operand | uint64_t{1} << 51 : operand;
    }
    return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(a));
  }
};
struct AddF16 {
  static uint16_t Do(uint16_t old, uint16_t a, uint16_t) { return HalfAdd(old, a); }
};
struct AddBf16 {
  static uint16_t Do(uint16_t old, uint16_t a, uint16_t) { return Bf16Add(old, a); }
};
template <typename Op>
struct Packed {
  static uint32_t Do(uint32_t old, uint32_t a, uint32_t) {
    uint32_t low = Op::Do(static_cast<uint16_t>(old), static_cast<uint16_t>(a), 0);
    uint32_t high = Op::Do(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(a >> 16), 0);
    return high << 16 | low;
  }
};

// Flags in Instruction::extra above the memory site.
constexpr uint32_t kSpaceShift = 28;

template <typename T, typename Op>
const Instruction* Atomic(Warp& w, const Instruction* i) {
  const uint64_t* addresses = LanesAt<uint64_t>(w, i->a);
  const VectorInfo& operands = w.frame->code->vectors[i->extra & ((1u << kSpaceShift) - 1)];
  const T* a = LanesAt<T>(w, operands.places[0]);
  const T* b = LanesAt<T>(w, operands.places[1]);
  T* d = LanesAt<T>(w, i->d);
  bool ok = true;
  Access access{.at = i,
                .space = static_cast<StateSpace>(i->extra >> kSpaceShift),
                .kind = AccessKind::kAtomic,
                .bytes = sizeof(T),
                .align = sizeof(T)};
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    access.lane = lane;
    access.address = addresses[lane] + static_cast<uint64_t>(i->immediate);
    AccessTarget target = Resolve(w, access);
    if (!target.ok) {
      ok = false;
      return;
    }
    T old = 0;
    if (target.local) {
      ReadLocal(w, target.offset, lane, &old, sizeof(T));
      T changed = Op::Do(old, a[lane], b[lane]);
      WriteLocal(w, target.offset, lane, &changed, sizeof(T));
    } else if (target.host != nullptr && target.valid == sizeof(T)) {
      std::atomic_ref<T> memory(*reinterpret_cast<T*>(target.host));
      old = memory.load();
      while (!memory.compare_exchange_weak(old, Op::Do(old, a[lane], b[lane]))) {
      }
    }
    d[lane] = old;
  });
  if (!ok) return nullptr;
  w.slice -= Worker::kSpinCost / 64;
  w.spun = true;
  return i + 1;
}

template <typename Op>
Handler Sized(uint32_t bits) {
  if (bits == 16) return Atomic<uint16_t, Op>;
  return bits == 32 ? Atomic<uint32_t, Op> : bits == 64 ? Atomic<uint64_t, Op> : nullptr;
}

template <typename Op>
Handler Signed(Type type) {
  switch (type) {
    case Type::kU32:
      return Atomic<uint32_t, Op>;
    case Type::kS32:
      return Atomic<int32_t, Op>;
    case Type::kU64:
      return Atomic<uint64_t, Op>;
    case Type::kS64:
      return Atomic<int64_t, Op>;
    default:
      return nullptr;
  }
}

Handler Choose(const Lowering& l, Type type, StateSpace space) {
  if (l.Has(Modifier::kAdd)) {
    switch (type) {
      case Type::kF32:
        return space == StateSpace::kShared ? Atomic<uint32_t, AddF32>
                                            : Atomic<uint32_t, AddF32Flushed>;
      case Type::kF64:
        return space == StateSpace::kShared ? Atomic<uint64_t, AddF64<true>>
                                            : Atomic<uint64_t, AddF64<false>>;
      case Type::kF16:
        return Atomic<uint16_t, AddF16>;
      case Type::kBf16:
        return Atomic<uint16_t, AddBf16>;
      case Type::kF16x2:
        return Atomic<uint32_t, Packed<AddF16>>;
      case Type::kBf16x2:
        return Atomic<uint32_t, Packed<AddBf16>>;
      default:
        return Signed<AddOp>(type);
    }
  }
  if (l.Has(Modifier::kMin)) return Signed<MinOp>(type);
  if (l.Has(Modifier::kMax)) return Signed<MaxOp>(type);
  if (l.Has(Modifier::kInc)) return type == Type::kU32 ? Atomic<uint32_t, IncOp> : nullptr;
  if (l.Has(Modifier::kDec)) return type == Type::kU32 ? Atomic<uint32_t, DecOp> : nullptr;
  if (l.Has(Modifier::kAnd)) return Sized<AndOp>(Bits(type));
  if (l.Has(Modifier::kOr)) return Sized<OrOp>(Bits(type));
  if (l.Has(Modifier::kXor)) return Sized<XorOp>(Bits(type));
  if (l.Has(Modifier::kExch)) return Sized<ExchOp>(Bits(type));
  if (l.Has(Modifier::kCas)) return Sized<CasOp>(Bits(type));
  return nullptr;
}

void Lower(Lowering& l, size_t address_position, bool returns) {
  Type type = l.text().LastType();
  AddressPlaces address = l.Address(address_position);
  Handler handler = Choose(l, type, address.space);
  if (handler == nullptr || l.Has(Modifier::kV2) || l.Has(Modifier::kV4) || l.Has(Modifier::kV8)) {
    l.Fail("this form of atomic operation is not supported");
  }
  VectorInfo operands;
  operands.count = 2;
  operands.places[0] = operands.places[1] = l.Read(address_position + 1, type);
  if (l.Has(Modifier::kCas)) operands.places[1] = l.Read(address_position + 2, type);
  Place d = returns ? l.Write(0, type) : l.Scratch(Bytes(type));
  uint32_t info = l.AddVector(operands);
  Instruction& i = l.Emit(handler);
  i.d = d;
  i.a = address.base;
  i.immediate = address.offset;
  i.extra = info | static_cast<uint32_t>(address.space) << kSpaceShift;
}

const Instruction* Fence(Warp&, const Instruction* i) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return i + 1;
}

}  // namespace

void LowerAtom(Lowering& l) { Lower(l, 1, true); }
void LowerRed(Lowering& l) { Lower(l, 0, false); }
void LowerFence(Lowering& l) { l.Emit(Fence); }

}  // namespace culprit::exec::machine
