// SPDX-License-Identifier: Apache-2.0
//
// mbarrier objects: 64 bits of shared memory. What is in them is this machine's own: the phase, the
// arrivals expected in a phase, the arrivals still missing, and the bytes of asynchronous copies
// still to come. Copies are made at once, so bytes are pending only between expect_tx and
// complete_tx.
#include <algorithm>
#include <bit>
#include <cstring>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/mbarriers.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/places.h"

namespace culprit::exec::machine {
namespace {

constexpr uint32_t kMostArrivals = (1u << 20) - 1;

struct Barrier {
  uint64_t phase : 1;
  uint64_t expected : 20;
  uint64_t pending : 20;
  uint64_t bytes : 21;
  uint64_t valid : 2;  // 2 in an initialised object
};
static_assert(sizeof(Barrier) == 8);

enum Operation : int64_t {
  kInit,
  kInval,
  kArrive,
  kArriveDrop,
  kExpect,
  kComplete,
  kTest,
  kTestParity,
  kPendingCount
};

void Advance(Warp& w, Barrier& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  w.block->shared_races.NextPhase();
  barrier.phase ^= 1;
  barrier.pending = barrier.expected;
}

// Operand c: count, bytes, token or parity. The result goes to d: the state before for arrivals, a
// predicate for tests. `extra` has the number of arrivals that come with expect_tx.
const Instruction* OnBarrier(Warp& w, const Instruction* i) {
  const Operation operation = static_cast<Operation>(i->immediate & 0xff);
  const uint64_t* addresses = LanesAt<uint64_t>(w, i->a);
  const uint64_t offset = static_cast<uint64_t>(i->immediate >> 8);
  uint32_t holds = 0;
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    Access access{.at = i,
                  .space = StateSpace::kGeneric,
                  .kind = AccessKind::kAtomic,
                  .bytes = 8,
                  .align = 8,
                  .lane = lane};
    access.address = addresses[lane] + offset;
    if (access.address >> 56 == 0 && access.address < w.shared_bytes)
      access.space = StateSpace::kShared;
    AccessTarget target = Resolve(w, access);
    ok = target.ok && target.host != nullptr && target.valid == 8;
    if (!ok) {
      if (target.ok)
        Fault(w, i, FaultKind::kInvalidAddressSpace, lane,
              "An mbarrier object must be in shared memory", access.address, 8);
      return;
    }
    Barrier barrier;
    std::memcpy(&barrier, target.host, 8);
    uint64_t before = std::bit_cast<uint64_t>(barrier);
    if (operation != kInit && barrier.valid != 2) {
      Fault(w, i, FaultKind::kIllegalInstruction, lane, "The mbarrier object is not initialised",
            access.address, 8);
      ok = false;
      return;
    }
    const uint32_t value = LanesAt<uint32_t>(w, i->c)[lane];
    switch (operation) {
      case kInit:
        barrier = {0, value & kMostArrivals, value & kMostArrivals, 0, 2};
        break;
      case kInval:
        barrier = {0, 0, 0, 0, 0};
        break;
      case kArrive:
      case kArriveDrop:
        if (value > barrier.pending) {
          Fault(w, i, FaultKind::kIllegalInstruction, lane,
                "More arrivals at an mbarrier than it expects", access.address, 8);
          ok = false;
          return;
        }
        barrier.pending -= value & kMostArrivals;
        if (operation == kArriveDrop) barrier.expected -= value & kMostArrivals;
        Advance(w, barrier);
        break;
      case kExpect:
        barrier.bytes += value & 0x1fffff;
        barrier.pending -= i->extra & kMostArrivals;
        Advance(w, barrier);
        break;
      case kComplete:
        barrier.bytes -= value & 0x1fffff;
        Advance(w, barrier);
        break;
      case kTest: {
        uint64_t token = LanesAt<uint64_t>(w, i->c)[lane];
        holds |= ((token & 1) != barrier.phase ? 1u : 0u) << lane;
        break;
      }
      case kTestParity:
        holds |= ((value & 1) != barrier.phase ? 1u : 0u) << lane;
        break;
      case kPendingCount:
        break;
    }
    std::memcpy(target.host, &barrier, 8);
    if (operation == kArrive || operation == kArriveDrop || operation == kExpect)
      LanesAt<uint64_t>(w, i->d)[lane] = before;
  });
  if (!ok) return nullptr;
  if (operation == kTest || operation == kTestParity) {
    SetPredicate(w, i->d, holds);
    // The warp gives way at once: those it waits for are in other warps.
    w.slice -= Worker::kSlice / 4;
    w.spun = true;
  }
  return i + 1;
}

const Instruction* ReadPendingCount(Warp& w, const Instruction* i) {
  const uint64_t* state = LanesAt<uint64_t>(w, i->a);
  ForEachLane(w.mask, [&](uint32_t lane) {
    LanesAt<uint32_t>(w, i->d)[lane] =
        static_cast<uint32_t>(std::bit_cast<Barrier>(state[lane]).pending);
  });
  return i + 1;
}

void EmitOn(Lowering& l, size_t address_position, Operation operation, Place d, Place c,
            uint32_t arrivals = 0) {
  AddressPlaces address = l.Address(address_position);
  Instruction& i = l.Emit(OnBarrier);
  i.d = d;
  i.a = address.base;
  i.c = c;
  i.extra = arrivals;
  i.immediate = static_cast<int64_t>(static_cast<uint64_t>(address.offset) << 8 |
                                     static_cast<uint64_t>(operation));
}

}  // namespace

// Without .noinc the expected arrivals grow by the one that is then made, so that nothing changes.
void LowerAsyncArrival(Lowering& l) {
  if (l.Has(Modifier::kNoinc)) EmitOn(l, 0, kArrive, l.Scratch(8), l.Literal(1, Type::kU32));
}

void LowerMbarrier(Lowering& l) {
  if (l.Has(Modifier::kPendingCount)) {
    Place a = l.Read(1, Type::kU64);
    Place d = l.Write(0, Type::kU32);
    Instruction& i = l.Emit(ReadPendingCount);
    i.d = d;
    i.a = a;
    return;
  }
  if (l.Has(Modifier::kInit)) return EmitOn(l, 0, kInit, l.Scratch(8), l.Read(1, Type::kU32));
  if (l.Has(Modifier::kInval)) return EmitOn(l, 0, kInval, l.Scratch(8), l.Literal(0, Type::kU32));
  bool test = l.Has(Modifier::kTestWait) || l.Has(Modifier::kTryWait);
  if (test) {
    Place d = l.Write(0, Type::kPred);
    if (l.Has(Modifier::kParity)) return EmitOn(l, 1, kTestParity, d, l.Read(2, Type::kU32));
    return EmitOn(l, 1, kTest, d, l.Read(2, Type::kU64));
  }
  // Arrivals have a state result, which the forms for other blocks of a cluster lack.
  bool arrive = l.Has(Modifier::kArrive) || l.Has(Modifier::kArriveDrop);
  bool result = arrive && l.operand(0).kind != Operand::Kind::kAddress;
  size_t at = result ? 1 : 0;
  Place d = result ? l.Write(0, Type::kU64) : l.Scratch(8);
  Place count = l.operand_count() > at + 1 ? l.Read(at + 1, Type::kU32) : l.Literal(1, Type::kU32);
  if (l.Has(Modifier::kExpectTx)) return EmitOn(l, at, kExpect, d, count, arrive ? 1 : 0);
  if (l.Has(Modifier::kCompleteTx)) return EmitOn(l, at, kComplete, d, count);
  EmitOn(l, at, l.Has(Modifier::kArriveDrop) ? kArriveDrop : kArrive, d, count);
}

}  // namespace culprit::exec::machine
