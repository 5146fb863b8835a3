// SPDX-License-Identifier: Apache-2.0
//
// Dynamic stack allocation, and the parts of clusters that make sense for a cluster of one block.
#include <algorithm>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"

namespace culprit::exec::machine {
namespace {

constexpr uint64_t kLargestStack = 512 * 1024;

// All lanes of the warp get room for the largest request, at the same offset.
const Instruction* Allocate(Warp& w, const Instruction* i) {
  const uint64_t* sizes = LanesAt<uint64_t>(w, i->a);
  uint64_t size = 0;
  ForEachLane(w.mask, [&](uint32_t lane) { size = std::max(size, sizes[lane]); });
  const uint64_t align = i->extra;
  uint64_t start =
      (uint64_t{w.frame->local_base} + w.frame->local_bytes + align - 1) / align * align;
  if (size > kLargestStack || start + size > kLargestStack) {
    return Fault(w, i, FaultKind::kStackOverflow, FirstLane(w.mask), "alloca exceeds the stack");
  }
  uint64_t end = (start + size + 7) / 8 * 8;
  w.frame->local_bytes = static_cast<uint32_t>(end - w.frame->local_base);
  if (w.local.size() < end / 4 * kLanes) w.local.resize(end / 4 * kLanes);
  ForEachLane(w.mask, [&](uint32_t lane) { LanesAt<uint64_t>(w, i->d)[lane] = start; });
  return i + 1;
}

const Instruction* Save(Warp& w, const Instruction* i) {
  ForEachLane(w.mask,
              [&](uint32_t lane) { LanesAt<uint64_t>(w, i->d)[lane] = w.frame->local_bytes; });
  return i + 1;
}

const Instruction* Restore(Warp& w, const Instruction* i) {
  uint64_t bytes = LanesAt<uint64_t>(w, i->a)[FirstLane(w.mask)];
  w.frame->local_bytes = static_cast<uint32_t>(
      std::clamp<uint64_t>(bytes, w.frame->code->frame_bytes, w.frame->local_bytes));
  return i + 1;
}

template <typename T, bool kZero>
const Instruction* CopyOrZero(Warp& w, const Instruction* i) {
  const T* a = LanesAt<T>(w, i->a);
  ForEachLane(w.mask, [&](uint32_t lane) { LanesAt<T>(w, i->d)[lane] = kZero ? T{0} : a[lane]; });
  return i + 1;
}

void EmitMove(Lowering& l, Handler handler, Place d, Place a) {
  Instruction& i = l.Emit(handler);
  i.d = d;
  i.a = a;
}

}  // namespace

void LowerAlloca(Lowering& l) {
  if (Bits(l.type()) != 64) l.Fail("local addresses have 64 bits");
  Place a = l.Read(1, l.type());
  Place d = l.Write(0, l.type());
  int64_t align = l.operand_count() > 2 ? l.operand(2).value : 8;
  if (align <= 0 || (align & (align - 1)) != 0 || align > 4096) l.FailArguments();
  Instruction& i = l.Emit(Allocate);
  i.d = d;
  i.a = a;
  i.extra = static_cast<uint32_t>(std::max<int64_t>(8, align));
}

void LowerStacksave(Lowering& l) {
  if (Bits(l.type()) != 64) l.FailArguments();
  EmitMove(l, Save, l.Write(0, l.type()), 0);
}

void LowerStackrestore(Lowering& l) {
  if (Bits(l.type()) != 64) l.FailArguments();
  Place a = l.Read(0, l.type());
  l.Emit(Restore).a = a;
}

// The block is the only one of its cluster: its rank is 0, and addresses map to themselves.
void LowerGetctarank(Lowering& l) {
  Place a = l.Read(1, l.type());
  EmitMove(l, CopyOrZero<uint32_t, true>, l.Write(0, Type::kU32), a);
}

void LowerMapa(Lowering& l) {
  Place a = l.Read(1, l.type());
  Place d = l.Write(0, l.type());
  EmitMove(l, Bits(l.type()) == 64 ? CopyOrZero<uint64_t, false> : CopyOrZero<uint32_t, false>, d,
           a);
}

}  // namespace culprit::exec::machine
