// SPDX-License-Identifier: Apache-2.0
//
// Calls. Arguments and results are .param variables, which live in the frames' local memory; the
// call copies them from the caller's frame to the callee's and the return copies results back.
// Functions of the first PTX versions pass registers.
#include <algorithm>
#include <cstring>
#include <string>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/control.h"
#include "fakedriver/exec/machine/external_functions.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/scheduling.h"

namespace culprit::exec::machine {
namespace {

constexpr uint32_t kLargestStack = 512 * 1024;  // bytes of local memory a thread may have
constexpr uint32_t kDeepestCall = 8192;

void CopyLocal(Warp& w, uint32_t from, uint32_t to, uint32_t size) {
  for (uint32_t word = 0; word < (size + 3) / 4; ++word) {
    const uint32_t* source = &w.local[size_t{from / 4 + word} * kLanes];
    uint32_t* target = &w.local[size_t{to / 4 + word} * kLanes];
    ForEachLane(w.mask, [&](uint32_t lane) { target[lane] = source[lane]; });
  }
}

void CopyRegister(const Warp& w, const std::byte* from, std::byte* to, uint32_t size) {
  if (size == 1) {
    uint32_t p;
    uint32_t old;
    std::memcpy(&p, from, 4);
    std::memcpy(&old, to, 4);
    old = (old & ~w.mask) | (p & w.mask);
    std::memcpy(to, &old, 4);
    return;
  }
  ForEachLane(w.mask,
              [&](uint32_t lane) { std::memcpy(to + lane * size, from + lane * size, size); });
}

// The address of a place seen from a frame that need not be the current one.
std::byte* InFrame(const Warp& w, const Frame& frame, Place place) {
  return place >> 30 == kRegisterArea ? frame.slots + place : At(w, place);
}

const Instruction* Enter(Warp& w, const Instruction* i, const CallInfo& call,
                         const FunctionCode& callee) {
  Frame* caller = w.frame;
  uint32_t lane = FirstLane(w.mask);
  if (callee.instructions.empty()) {
    return Fault(w, i, FaultKind::kInvalidPc, lane,
                 "Call of '" + std::string(callee.text->name) + "', which has no body");
  }
  if (caller->local_base + caller->local_bytes + callee.frame_bytes > kLargestStack ||
      caller->depth >= kDeepestCall) {
    return Fault(w, i, FaultKind::kStackOverflow, lane,
                 "The call stack exceeds " + std::to_string(kLargestStack) + " bytes a thread or " +
                     std::to_string(kDeepestCall) + " calls");
  }
  Frame* frame = NewFrame(w, callee, caller, w.mask);
  frame->depth = caller->depth + 1;
  frame->return_to = i + 1;
  frame->call = &call;
  for (size_t n = 0; n < std::min(call.arguments.size(), callee.parameters.size()); ++n) {
    const PassedValue& argument = call.arguments[n];
    const PassedValue& parameter = callee.parameters[n];
    if (parameter.in_register != argument.in_register) continue;
    if (parameter.in_register) {
      CopyRegister(w, InFrame(w, *caller, argument.place), frame->slots + parameter.place,
                   parameter.size);
    } else {
      CopyLocal(w, caller->local_base + argument.offset, frame->local_base + parameter.offset,
                std::min(argument.size, parameter.size));
    }
  }
  CountLanes(w);
  EnterFrame(w, frame);
  return callee.instructions.data();
}

const Instruction* CallDirect(Warp& w, const Instruction* i) {
  const CallInfo& call = w.frame->code->calls[i->extra];
  return Enter(w, i, call, *call.callee);
}

// Lanes that call something else than the first lane wait their turn and come back to this
// instruction. A meeting point follows it.
const Instruction* CallIndirect(Warp& w, const Instruction* i) {
  const uint64_t* targets = LanesAt<uint64_t>(w, i->a);
  uint32_t first = FirstLane(w.mask);
  uint64_t number = (targets[first] - kCodeWindow) / kCodeStep - 1;
  const KernelCode& kernel = w.block->launch.code;
  const FunctionCode* callee =
      InWindow(targets[first], kCodeWindow) && number < kernel.by_number.size()
          ? kernel.by_number[number]
          : nullptr;
  if (callee == nullptr || (targets[first] - kCodeWindow) % kCodeStep != 0) {
    return Fault(w, i, FaultKind::kInvalidPc, first, "An indirect call does not lead to a function",
                 targets[first]);
  }
  uint32_t same = 0;
  ForEachLane(w.mask,
              [&](uint32_t lane) { same |= (targets[lane] == targets[first] ? 1u : 0u) << lane; });
  if (same != w.mask) {
    CountLanes(w);
    OpenRecord(w, i + 1, w.mask);
    w.waiting.push_back({i, w.frame, w.mask & ~same, w.record, Split::State::kReady, 0, false});
    SetMask(w, same);
  }
  return Enter(w, i, w.frame->code->calls[i->extra], *callee);
}

PassedValue Passed(Lowering& l, const Operand& operand) {
  PassedValue value;
  if (operand.kind == Operand::Kind::kVariable) {
    const Variable& variable = l.module().variables[operand.index];
    if (variable.space != StateSpace::kParam && variable.space != StateSpace::kLocal)
      l.FailArguments();
    value.offset = variable.offset;
    value.size = static_cast<uint32_t>(variable.size);
  } else if (operand.kind == Operand::Kind::kRegister) {
    Type type = l.RegisterType(operand);
    bool negated = false;
    value.in_register = true;
    value.place = type == Type::kPred ? l.ReadPredicate(operand, &negated) : l.Read(operand, type);
    value.size = type == Type::kPred ? 1 : Bytes(type);
  } else if (operand.kind == Operand::Kind::kInteger) {
    value.in_register = true;
    value.place = l.Read(operand, Type::kU32);
    value.size = 4;
  } else {
    l.FailArguments();
  }
  return value;
}

void PassList(Lowering& l, const Operand& list, std::vector<PassedValue>& values) {
  for (uint32_t n = 0; n < list.count; ++n) values.push_back(Passed(l, l.member(list, n)));
}

}  // namespace

const Instruction* Return(Warp& w, const Instruction*) {
  CountLanes(w);
  Frame* frame = w.frame;
  Frame* caller = frame->caller;
  const Instruction* next = frame->return_to;
  const std::vector<PassedValue>& results = frame->code->results;
  const std::vector<PassedValue>& wanted = frame->call->results;
  for (size_t n = 0; n < std::min(results.size(), wanted.size()); ++n) {
    if (results[n].in_register != wanted[n].in_register) continue;
    if (results[n].in_register) {
      CopyRegister(w, frame->slots + results[n].place, InFrame(w, *caller, wanted[n].place),
                   results[n].size);
    } else {
      CopyLocal(w, frame->local_base + results[n].offset, caller->local_base + wanted[n].offset,
                std::min(results[n].size, wanted[n].size));
    }
  }
  EnterFrame(w, caller);
  LeaveFrame(w, frame, w.mask);
  return next;
}

// call (results), function, (arguments), prototype;   all but the function may be missing
void LowerCall(Lowering& l) {
  CallInfo call;
  size_t at = 0;
  if (l.operand_count() > 0 && l.operand(0).kind == Operand::Kind::kList)
    PassList(l, l.operand(at++), call.results);
  const Operand& target = l.operand(at++);
  if (at < l.operand_count() && l.operand(at).kind == Operand::Kind::kList)
    PassList(l, l.operand(at++), call.arguments);
  if (target.kind == Operand::Kind::kRegister) {
    Place place = l.Read(target, Type::kU64);
    uint32_t info = l.AddCall(std::move(call));
    Instruction& i = l.Emit(CallIndirect);
    i.a = place;
    i.extra = info;
    l.Emit(Meet);
    return;
  }
  if (target.kind != Operand::Kind::kFunction) l.FailArguments();
  const FunctionCode* callee = l.Callee(target.index);
  Handler handler = CallDirect;
  if (callee == nullptr || !callee->text->has_body) {
    handler = ExternalFunction(l.module().functions[target.index].name);
    if (handler == nullptr) l.Fail("the function has no body");
  }
  call.callee = callee;
  uint32_t info = l.AddCall(std::move(call));
  l.Emit(handler).extra = info;
}

}  // namespace culprit::exec::machine
