// SPDX-License-Identifier: Apache-2.0
//
// Addresses of one state space as those of another.
#include "fakedriver/exec/lanes/bit_types.h"
#include "fakedriver/exec/lanes/lane_mask.h"
#include "fakedriver/exec/machine/address_windows.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct CopyOp {
  using In = T;
  using Out = T;
  static T Do(T a) { return a; }
};

// a plus or minus the window of a state space.
template <typename D, typename S>
const Instruction* AddWindow(Warp& w, const Instruction* i) {
  const S* a = Lanes<S>(w, i->a);
  const uint64_t window = static_cast<uint64_t>(i->immediate);
  Assign(w, Lanes<D>(w, i->d), [=](uint32_t l) {
    // Addresses already in the window stay; devices accept them too.
    uint64_t address = a[l];
    return static_cast<D>(address >> 56 != 0 ? address : address + window);
  });
  return i + 1;
}

template <typename D, typename S>
const Instruction* SubtractWindow(Warp& w, const Instruction* i) {
  const S* a = Lanes<S>(w, i->a);
  const uint64_t window = static_cast<uint64_t>(i->immediate);
  Assign(w, Lanes<D>(w, i->d), [=](uint32_t l) {
    uint64_t address = a[l];
    return static_cast<D>(address >> 56 == window >> 56 ? address - window : address);
  });
  return i + 1;
}

// Whether the upper byte of the address is that of the window (0 is device memory).
const Instruction* IsInSpace(Warp& w, const Instruction* i) {
  const uint64_t* a = Lanes<uint64_t>(w, i->a);
  const uint64_t wanted = static_cast<uint64_t>(i->immediate) >> 56;
  int32_t flags[kLanes];
  CULPRIT_EACH_LANE { flags[l] = -static_cast<int32_t>(a[l] >> 56 == wanted); }
  uint32_t p = PackFlags(flags);
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (p & w.mask);
  return i + 1;
}

uint64_t WindowOf(StateSpace space) {
  switch (space) {
    case StateSpace::kShared:
      return kSharedWindow;
    case StateSpace::kLocal:
      return kLocalWindow;
    case StateSpace::kParam:
      return kParamWindow;
    default:
      return 0;
  }
}

}  // namespace

// Device and constant memory have the same addresses in every form; the windows of the others are
// added or taken away.
void LowerCvta(Lowering& lo) {
  Type type = lo.type();
  uint64_t window = WindowOf(lo.Space());
  bool wide = Bits(type) == 64;
  Place a = lo.Read(1, type);
  Place d = lo.Write(0, type);
  Handler handler = wide ? Unary<CopyOp<uint64_t>> : Unary<CopyOp<uint32_t>>;
  if (window != 0) {
    if (!wide) lo.Fail("generic addresses have 64 bits");
    handler =
        lo.Has(Modifier::kTo) ? SubtractWindow<uint64_t, uint64_t> : AddWindow<uint64_t, uint64_t>;
    // Addresses of parameters are generic from the start.
    if (lo.Space() == StateSpace::kParam && lo.Has(Modifier::kTo))
      handler = Unary<CopyOp<uint64_t>>;
  }
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.immediate = static_cast<int64_t>(window);
}

void LowerIsspacep(Lowering& lo) {
  Place a = lo.Read(1, Type::kU64);
  Place d = lo.Write(0, Type::kPred);
  uint64_t window = WindowOf(lo.Space());
  Instruction& i = lo.Emit(IsInSpace);
  i.d = d;
  i.a = a;
  // Constant memory is not told from device memory by its address; a byte no address has makes the
  // answer no.
  i.immediate =
      lo.Space() == StateSpace::kConst ? INT64_C(0x7f) << 56 : static_cast<int64_t>(window);
}

}  // namespace culprit::exec::CULPRIT_LANES
