// SPDX-License-Identifier: Apache-2.0
//
// Where each virtual register of a function lives in its frame. PTX has thousands of registers,
// each written once; giving every one its own 128 bytes would push the working set of a warp out of
// the nearest cache. Registers whose lifetimes do not overlap share a place. Lifetimes are those of
// one thread, which is enough although lanes diverge: a lane writes only its own part of a place.
#ifndef FAKEDRIVER_EXEC_DECODE_REGISTER_PLACES_H_
#define FAKEDRIVER_EXEC_DECODE_REGISTER_PLACES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "fakedriver/exec/decode/control_flow.h"
#include "fakedriver/exec/machine/instruction.h"
#include "fakedriver/exec/reader/module_text.h"

namespace culprit::exec {

inline constexpr Place kNoPlace = UINT32_MAX;

struct RegisterPlaces {
  std::vector<Place> places;  // by register; kNoPlace for registers never used
  std::vector<uint32_t>
      zeroed;  // 64-byte pieces with registers that may be read before they are written
  uint32_t slot_bytes = 0;
};

// Bytes all lanes of a register take.
uint32_t SlotBytes(Type type);

// Calls visit(register, written) for each register of the instruction, reads before writes.
void ForEachRegister(const ModuleText& module, const InstructionText& instruction,
                     const std::function<void(uint32_t, bool)>& visit);

// `replaced[r]` registers have a place elsewhere already and `dropped[n]` instructions are not
// lowered. `pinned` registers live all the time (parameters of the register ABI).
RegisterPlaces PlaceRegisters(const ModuleText& module, const FunctionText& function,
                              const ControlFlow& flow, const std::vector<Place>& replaced,
                              const std::vector<bool>& dropped,
                              const std::vector<uint32_t>& pinned);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_REGISTER_PLACES_H_
