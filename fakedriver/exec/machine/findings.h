// SPDX-License-Identifier: Apache-2.0
//
// Collects the fault and the findings of a launch, from all its threads.
#ifndef FAKEDRIVER_EXEC_MACHINE_FINDINGS_H_
#define FAKEDRIVER_EXEC_MACHINE_FINDINGS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "fakedriver/exec/launch.h"
#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec {

struct LaunchState;

class Findings {
 public:
  explicit Findings(uint32_t kept) : kept_(kept) {}

  // The first fault of the lowest block stays.
  void Report(uint64_t block, DeviceFault fault);
  // One finding for each kind and instruction; more of the same are counted. The lowest block is
  // the one that is named.
  void Report(uint64_t block, const Instruction* at, MemoryFinding finding);

  bool faulted() const;
  void MoveTo(LaunchResult& result);

 private:
  struct Entry {
    uint64_t block;
    MemoryFinding finding;
  };

  uint32_t kept_;
  mutable std::mutex mutex_;
  std::optional<DeviceFault> fault_;
  uint64_t fault_block_ = 0;
  std::map<std::tuple<FindingKind, const Instruction*>, Entry> entries_;
};

CodeLocation Locate(const Warp& w, const Instruction* i);
ThreadPosition PositionOf(const Warp& w, uint32_t lane);
// The same of an instruction of `code`, and of a thread of a block by their numbers.
CodeLocation LocateIn(const LaunchState& launch, const FunctionCode& code, const Instruction* i);
ThreadPosition PositionOf(const LaunchState& launch, uint64_t block, uint32_t thread);

// Ends the launch. Returns null, so that a handler can return it.
const Instruction* Fault(Warp& w, const Instruction* i, FaultKind kind, uint32_t lane,
                         std::string message, uint64_t address = 0, uint32_t bytes = 0,
                         bool store = false);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_FINDINGS_H_
