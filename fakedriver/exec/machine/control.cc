// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/control.h"

#include <atomic>
#include <bit>
#include <string>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/scheduling.h"

namespace culprit::exec::machine {
namespace {

const Instruction* RunGuarded(Warp& w, const Instruction* i, uint32_t lanes) {
  const Instruction* next = i + 1;
  const Instruction* end = next + i->extra;
  if (lanes == w.mask) return next;
  if (lanes == 0) return end;
  uint32_t mask = w.mask;
  w.mask = lanes;
  w.full = 0;
  while (next != end && next != nullptr) next = next->handler(w, next);
  SetMask(w, mask);
  return next;
}

template <bool kNegated, bool kBack>
const Instruction* Branch(Warp& w, const Instruction* i) {
  uint32_t p = PredicateAt(w, i->a);
  uint32_t taken = w.mask & (kNegated ? ~p : p);
  if (taken == 0) return i + 1;
  if (kBack && --w.slice <= 0 && taken == w.mask) return SliceOver(w, i->target);
  if (taken == w.mask) return i->target;
  return Diverge(w, i->target, i + 1, taken, w.frame->code->branches[i->extra].reconvergence);
}

uint64_t ClockValue(Warp& w, SpecialRegister r) {
  DeviceClock& clock = w.block->launch.environment.clock;
  switch (r) {
    case SpecialRegister::kClockHi:
      return clock.Cycles() >> 32;
    case SpecialRegister::kGlobaltimer:
    case SpecialRegister::kGlobaltimerLo:
      return clock.Nanoseconds();
    case SpecialRegister::kGlobaltimerHi:
      return clock.Nanoseconds() >> 32;
    default:
      return clock.Cycles();
  }
}

const Instruction* ExitLanes(Warp& w, const Instruction* i) { return EndLanes(w, w.mask, i + 1); }

template <bool kNegated>
const Instruction* ExitLanesIf(Warp& w, const Instruction* i) {
  uint32_t p = PredicateAt(w, i->a);
  uint32_t lanes = w.mask & (kNegated ? ~p : p);
  return lanes == 0 ? i + 1 : EndLanes(w, lanes, i + 1);
}

const Instruction* RaiseTrap(Warp& w, const Instruction* i) {
  return Fault(w, i, FaultKind::kTrap, FirstLane(w.mask), "The kernel executed trap");
}

const Instruction* RaiseBreakpoint(Warp& w, const Instruction* i) {
  return Fault(w, i, FaultKind::kIllegalInstruction, FirstLane(w.mask),
               "The kernel executed brkpt");
}

const Instruction* Sleep(Warp& w, const Instruction* i) {
  w.block->launch.environment.clock.Sleep(LanesAt<uint32_t>(w, i->a)[FirstLane(w.mask)]);
  w.slice -= Worker::kSpinCost;
  w.spun = true;
  return i + 1;
}

}  // namespace

const Instruction* Guard(Warp& w, const Instruction* i) {
  return RunGuarded(w, i, w.mask & PredicateAt(w, i->a));
}
const Instruction* GuardNot(Warp& w, const Instruction* i) {
  return RunGuarded(w, i, w.mask & ~PredicateAt(w, i->a));
}
const Instruction* Meet(Warp& w, const Instruction* i) { return Converge(w, i); }
const Instruction* Jump(Warp&, const Instruction* i) { return i->target; }

const Instruction* JumpBack(Warp& w, const Instruction* i) {
  if (--w.slice <= 0) return SliceOver(w, i->target);
  return i->target;
}

Handler BranchHandler(bool negated, bool back) {
  if (negated) return back ? Branch<true, true> : Branch<true, false>;
  return back ? Branch<false, true> : Branch<false, false>;
}

// Lanes that go elsewhere than the first one come back to this instruction.
const Instruction* BranchIndexed(Warp& w, const Instruction* i) {
  const BranchInfo& branch = w.frame->code->branches[i->extra];
  const uint32_t* index = LanesAt<uint32_t>(w, i->a);
  uint32_t first = FirstLane(w.mask);
  if (index[first] >= branch.targets.size()) {
    return Fault(w, i, FaultKind::kInvalidPc, first,
                 "The index of brx.idx is outside its list of targets");
  }
  uint32_t same = 0;
  ForEachLane(w.mask,
              [&](uint32_t lane) { same |= (index[lane] == index[first] ? 1u : 0u) << lane; });
  const Instruction* target = branch.targets[index[first]];
  if (--w.slice <= 0 && same == w.mask) return SliceOver(w, target);
  if (same == w.mask) return target;
  return Diverge(w, target, i, same, branch.reconvergence);
}

const Instruction* EndKernel(Warp& w, const Instruction* i) { return EndLanes(w, w.mask, i); }

const Instruction* Unsupported(Warp& w, const Instruction* i) {
  const FunctionText& function = *w.frame->code->text;
  const InstructionText& text =
      w.block->launch.code.module->instructions[function.first_instruction + i->text];
  std::string_view reason = Info(text.opcode).unsupported;
  return Fault(w, i, FaultKind::kUnsupportedInstruction, FirstLane(w.mask),
               "The machine does not run " + std::string(text.name) + " (" +
                   std::string(reason.empty() ? "this form of the instruction" : reason) + ")");
}

const Instruction* FrameAddress32(Warp& w, const Instruction* i) {
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  uint32_t address = w.frame->local_base + static_cast<uint32_t>(i->immediate);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = address; });
  return i + 1;
}

const Instruction* FrameAddress64(Warp& w, const Instruction* i) {
  uint64_t* d = LanesAt<uint64_t>(w, i->d);
  uint64_t address = w.frame->local_base + static_cast<uint64_t>(i->immediate);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = address; });
  return i + 1;
}

const Instruction* ReadClock(Warp& w, const Instruction* i) {
  SpecialRegister r = static_cast<SpecialRegister>(i->extra);
  uint64_t value = ClockValue(w, r);
  if (kSpecialRegisters[i->extra].bits == 64) {
    ForEachLane(w.mask, [&](uint32_t lane) { LanesAt<uint64_t>(w, i->d)[lane] = value; });
  } else {
    ForEachLane(w.mask, [&](uint32_t lane) {
      LanesAt<uint32_t>(w, i->d)[lane] = static_cast<uint32_t>(value);
    });
  }
  w.slice -= Worker::kSpinCost;
  w.spun = true;
  return i + 1;
}

const Instruction* OrderedAccess(Warp& w, const Instruction* i) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  w.slice -= Worker::kSpinCost;
  w.spun = true;
  return i + 1;
}

void LowerNothing(Lowering&) {}

void LowerBra(Lowering& l) {
  const InstructionText& i = l.text();
  bool negated = false;
  Place predicate = 0;
  if (i.guard != kNone) {
    Operand guard;
    guard.kind = Operand::Kind::kRegister;
    guard.index = i.guard;
    guard.negated = i.guard_negated;
    predicate = l.ReadPredicate(guard, &negated);
  }
  l.EmitBranch(predicate, negated, i.guard == kNone);
}

void LowerBrx(Lowering& l) {
  const Operand& list = l.operand(1);
  if (list.kind != Operand::Kind::kTargets) l.FailArguments();
  l.EmitIndexedBranch(l.Read(0, Type::kU32), l.module().target_lists[list.index]);
}

void LowerRet(Lowering& l) { l.EmitReturn(); }

void LowerExit(Lowering& l) {
  const InstructionText& i = l.text();
  if (i.guard == kNone) {
    l.Emit(ExitLanes);
    return;
  }
  Operand guard;
  guard.kind = Operand::Kind::kRegister;
  guard.index = i.guard;
  bool negated = false;
  Place predicate = l.ReadPredicate(guard, &negated);
  l.Emit(i.guard_negated ? ExitLanesIf<true> : ExitLanesIf<false>).a = predicate;
}

void LowerTrap(Lowering& l) {
  l.Emit(l.text().opcode == Opcode::kTrap ? RaiseTrap : RaiseBreakpoint);
}

void LowerNanosleep(Lowering& l) {
  Place time = l.Read(0, Type::kU32);
  l.Emit(Sleep).a = time;
}

}  // namespace culprit::exec::machine
