// SPDX-License-Identifier: Apache-2.0
//
// Barriers of a block, and of a warp.
#include <bit>
#include <string>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/control.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/scheduling.h"
#include "fakedriver/exec/machine/warp_sync.h"

namespace culprit::exec::machine {
namespace {

enum BarrierFlags : uint32_t {
  kCounted = 1,
  kAligned = 2,
  kArriveOnly = 4,
  kReducing = 8,
  kNegated = 16
};

// Barrier a, thread count b if kCounted, predicate c if kReducing.
const Instruction* AtBarrier(Warp& w, const Instruction* i) {
  uint32_t lane = FirstLane(w.mask);
  uint32_t barrier = LanesAt<uint32_t>(w, i->a)[lane];
  if (barrier >= w.block->barriers.size()) {
    return Fault(w, i, FaultKind::kIllegalInstruction, lane,
                 "Barrier " + std::to_string(barrier) + " does not exist");
  }
  bool whole = w.mask == w.live;
  if ((i->extra & kAligned) != 0 && !whole &&
      w.block->launch.environment.checks.barrier_divergence) {
    MemoryFinding finding;
    finding.kind = FindingKind::kBarrierDivergence;
    finding.where = Locate(w, i);
    finding.who = PositionOf(w, lane);
    w.block->launch.findings.Report(w.block->number, i, std::move(finding));
  }
  uint32_t threads = static_cast<uint32_t>(std::popcount(w.mask));
  uint32_t expected = 0;
  if ((i->extra & kCounted) != 0) {
    // Explicit counts are in whole warps, so lanes that a partial warp lacks count as well.
    expected = LanesAt<uint32_t>(w, i->b)[lane];
    if (whole) threads = kLanes;
  }
  if ((i->extra & kReducing) != 0) {
    uint32_t p = PredicateAt(w, i->c);
    uint32_t yes =
        static_cast<uint32_t>(std::popcount(w.mask & ((i->extra & kNegated) != 0 ? ~p : p)));
    w.block->barriers[barrier].true_count += yes;
    w.block->barriers[barrier].false_count += static_cast<uint32_t>(std::popcount(w.mask)) - yes;
  }
  bool complete = w.block->Arrive(barrier, threads, expected);
  if (complete || (i->extra & kArriveOnly) != 0) return i + 1;
  return Park(w, i + 1, Split::State::kAtBlockBarrier, static_cast<uint8_t>(barrier));
}

enum Reduction : int64_t { kAllTrue, kAnyTrue, kHowMany };

// What the last phase of barrier a came to, after it completed.
const Instruction* BarrierResult(Warp& w, const Instruction* i) {
  const BlockBarrier& barrier =
      w.block->barriers[LanesAt<uint32_t>(w, i->a)[FirstLane(w.mask)] & 15];
  if (i->immediate == kHowMany) {
    ForEachLane(w.mask,
                [&](uint32_t lane) { LanesAt<uint32_t>(w, i->d)[lane] = barrier.result_true; });
  } else {
    bool result = i->immediate == kAllTrue ? barrier.result_false == 0 : barrier.result_true != 0;
    SetPredicate(w, i->d, result ? UINT32_MAX : 0);
  }
  return i + 1;
}

const Instruction* WarpBarrier(Warp& w, const Instruction* i) {
  WarpGroup group(w, i, LanesAt<uint32_t>(w, i->a)[FirstLane(w.mask)], true);
  return group.complete() ? group.Done() : group.Wait();
}

}  // namespace

// bar.sync a{, b}   bar.arrive a, b   bar.red.op d, a{, b}, {!}p   bar.warp.sync m
void LowerBar(Lowering& l) {
  if (l.Has(Modifier::kCluster)) {
    // A cluster of one block: the wait is a barrier of the block, and the arrival before it has
    // nothing to do.
    if (l.Has(Modifier::kArrive)) return;
    Place last = l.Literal(15, Type::kU32);
    l.Emit(AtBarrier).a = last;
    return;
  }
  if (l.Has(Modifier::kWarp)) {
    Place members = l.Read(0, Type::kB32);
    l.Emit(WarpBarrier).a = members;
    return;
  }
  bool reducing = l.Has(Modifier::kRed);
  size_t at = reducing ? 1 : 0;
  size_t count = l.operand_count() - (reducing ? 1 : 0);
  if (l.operand_count() <= at || count > 3) l.FailArguments();
  Instruction i;
  i.a = l.Read(at, Type::kU32);
  if (l.text().opcode == Opcode::kBar || l.Has(Modifier::kAligned)) i.extra |= kAligned;
  if (l.Has(Modifier::kArrive)) i.extra |= kArriveOnly;
  if (count > (reducing ? 2u : 1u)) {
    i.b = l.Read(at + 1, Type::kU32);
    i.extra |= kCounted;
  }
  if (reducing) {
    bool negated = false;
    i.c = l.ReadPredicate(l.operand(l.operand_count() - 1), &negated);
    i.extra |= kReducing;
    if (negated) i.extra |= kNegated;
  }
  Instruction& arrive = l.Emit(AtBarrier);
  i.handler = arrive.handler;
  i.text = arrive.text;
  arrive = i;
  if (!reducing) return;
  Place d = l.Write(0, l.Has(Modifier::kPopc) ? Type::kU32 : Type::kPred);
  Instruction& result = l.Emit(BarrierResult);
  result.d = d;
  result.a = i.a;
  result.immediate = l.Has(Modifier::kPopc)  ? kHowMany
                     : l.Has(Modifier::kAnd) ? kAllTrue
                                             : kAnyTrue;
}

}  // namespace culprit::exec::machine
