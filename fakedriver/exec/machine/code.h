// SPDX-License-Identifier: Apache-2.0
//
// Lowered code of one kernel and of all it may call. Immutable; launches patch a copy of the
// constants only.
#ifndef FAKEDRIVER_EXEC_MACHINE_CODE_H_
#define FAKEDRIVER_EXEC_MACHINE_CODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fakedriver/exec/machine/instruction.h"
#include "fakedriver/exec/reader/special_register.h"

namespace culprit::exec {

struct FunctionText;
struct ModuleText;

// A value that is the same for every lane of a launch, broadcast into the constant area.
struct Constant {
  enum class Kind : uint8_t {
    kLiteral,    // value
    kParameter,  // bytes `value`.. of the parameter buffer
    kGlobal,     // address of globals()[index] plus value
    kSpecial,    // special register `index`, uniform over the launch
  };
  Kind kind = Kind::kLiteral;
  uint8_t size = 4;   // bytes of a lane: 1 (a predicate), 2, 4, 8
  uint8_t bytes = 8;  // kParameter: bytes read, then extended
  bool sign_extended = false;
  uint32_t index = 0;
  uint64_t value = 0;
  uint32_t offset = 0;  // into the constant area

  bool SameValue(const Constant& other) const {
    return kind == other.kind && size == other.size && bytes == other.bytes &&
           sign_extended == other.sign_extended && index == other.index && value == other.value;
  }
};

struct BranchInfo {
  const Instruction* reconvergence = nullptr;  // where the two sides meet, null when they never do
  std::vector<const Instruction*> targets;     // of brx
};

// Destinations or sources of a vector access.
struct VectorInfo {
  uint8_t count = 0;
  Place places[8] = {};
};

// An argument, parameter or result: in the frame's local memory or, in the first PTX versions, in a
// register.
struct PassedValue {
  bool in_register = false;
  Place place = 0;
  uint32_t offset = 0;
  uint32_t size = 0;  // bytes; 1 is a predicate when in a register
};

struct FunctionCode;
struct CallInfo {
  const FunctionCode* callee = nullptr;  // null for indirect calls
  std::vector<PassedValue> arguments;
  std::vector<PassedValue> results;
};

struct FunctionCode {
  const FunctionText* text = nullptr;
  uint32_t number = 0;  // in the module
  std::vector<Instruction> instructions;
  std::vector<BranchInfo> branches;
  std::vector<VectorInfo> vectors;
  std::vector<CallInfo> calls;
  std::vector<PassedValue> parameters;
  std::vector<PassedValue> results;
  std::vector<uint32_t> zeroed;  // offsets of 64-byte pieces that must start as zeros
  uint32_t slot_bytes = 0;       // of one frame
  uint32_t frame_bytes = 0;      // local memory a thread needs in this function
};

struct KernelCode {
  const ModuleText* module = nullptr;
  const FunctionCode* entry = nullptr;
  std::vector<std::unique_ptr<FunctionCode>> functions;
  std::vector<const FunctionCode*> by_number;  // null for functions the kernel cannot reach
  std::vector<Constant> constants;
  uint32_t constant_bytes = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t memory_sites = 0;
  // Whether the order in which blocks run can show in the result, so that they must run in one
  // fixed order.
  bool order_sensitive = false;
  // Blocks may have an order of their own making: by fences, ordered accesses, atomics whose old
  // value is read, or the device's heap.
  bool orders_blocks = false;
  // It may wait for what somebody else writes while it runs: ordered loads, atomics in loops.
  bool may_wait = false;
  std::vector<uint32_t> shared_offsets;  // by variable
  std::string error;                     // why the kernel cannot run, or empty
  uint32_t error_line = 0;
  bool invalid = false;  // the error is one of the text
};

// Places in the warp area.
inline constexpr uint32_t kLaneValueBytes = kLanes * 4;
constexpr Place WarpPlace(SpecialRegister r) {
  return MakePlace(kWarpArea, static_cast<uint32_t>(r) * kLaneValueBytes);
}
inline constexpr uint32_t kWarpAreaBytes =
    static_cast<uint32_t>(SpecialRegister::kCount) * kLaneValueBytes;

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_CODE_H_
