// SPDX-License-Identifier: Apache-2.0
//
// Running a kernel. Launch() returns when the grid has finished, faulted, or ran out of its limits;
// it keeps no threads and no state behind, so a process may fork between launches.
//
// Two things come back. A fault is what a real device would report: the launch ended there and the
// context is lost. Findings are what a real device does not notice: out of bounds inside a mapped
// granule, use after free, uninitialised reads, races. The kernel went on after them.
#ifndef FAKEDRIVER_EXEC_LAUNCH_H_
#define FAKEDRIVER_EXEC_LAUNCH_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakedriver/exec/device_memory.h"
#include "fakedriver/exec/program.h"

namespace culprit::exec {

struct Texture;

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;

  uint64_t Count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  Dim3 cluster;
  bool cooperative = false;  // all blocks are resident at once, and grid synchronisation works
};

// Where the variables of one loaded module live in one context.
struct ModuleState {
  std::vector<uint64_t> global_addresses;  // one for each of Program::globals()
};

// Time as kernels see it in %clock64 and %globaltimer. Called from several threads.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;
  virtual uint64_t Cycles() = 0;
  virtual uint64_t Nanoseconds() = 0;
  virtual void Sleep(uint64_t nanoseconds) = 0;  // nanosleep; may return at once
};

// Texture and surface handles that the kernel reads from its parameters or that stand for a
// .texref.
class TextureTable {
 public:
  virtual ~TextureTable() = default;
  virtual const Texture* Find(uint64_t handle) = 0;  // null: no such texture; the fetch faults
};

struct DeviceProperties {
  uint32_t sm_version = 90;
  uint32_t sm_count = 132;
  uint32_t max_shared_bytes_per_block = 232448;
  uint32_t max_resident_blocks = 132 * 32;
};

// Each check costs time only where it is on.
struct Checks {
  bool out_of_bounds = true;
  bool use_after_free = true;
  bool uninitialised = false;
  bool shared_races = false;
  bool block_races = false;  // in global memory, between blocks
  bool barrier_divergence = true;
  uint32_t findings_kept = 64;  // repeats of one kind at one instruction are counted, not kept
};

struct Limits {
  uint64_t instructions = 0;  // executed by warps, over the whole grid; 0 is no limit
  uint64_t nanoseconds = 0;   // of host time; 0 is no limit
  const std::atomic<bool>* cancelled = nullptr;
};

struct Environment {
  Environment(DeviceMemory& device_memory, DeviceClock& device_clock)
      : memory(device_memory), clock(device_clock) {}

  DeviceMemory& memory;
  DeviceClock& clock;
  TextureTable* textures = nullptr;
  std::function<void(std::string_view)> print;  // whole output of one vprintf; one call at a time
  DeviceProperties device;
  Checks checks;
  Limits limits;
  // Threads that may run blocks, this one included. Results do not depend on it. More than one are
  // started only when a launch turns out to be long.
  unsigned workers = 1;
};

// Where in the program, as exactly as the text tells.
struct CodeLocation {
  std::string kernel;
  std::string function;     // differs from kernel inside a called function
  uint32_t ptx_line = 0;    // line of the PTX text
  std::string source_file;  // from .loc, empty without line information
  uint32_t source_line = 0;
  std::string instruction;  // mnemonic with modifiers, for example "ld.global.u32"
};

struct ThreadPosition {
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> thread{};
};

enum class FaultKind : uint8_t {
  kIllegalAddress,
  kMisalignedAddress,
  kTrap,                 // trap, and what a device reports as an unspecified launch failure
  kAssert,               // __assertfail
  kIllegalInstruction,   // brkpt, an indirect branch or call that leads nowhere
  kInvalidAddressSpace,  // a generic address of the wrong space
  kInvalidPc,
  kUnsupportedInstruction,  // known PTX that this machine does not run; the message names it
  kDeadlock,                // every thread waits
  kInstructionLimit,
  kTimeLimit,
  kCancelled,
  kStackOverflow,
};

struct DeviceFault {
  FaultKind kind = FaultKind::kTrap;
  CodeLocation where;
  ThreadPosition who;
  uint64_t address = 0;
  uint32_t access_bytes = 0;
  bool is_store = false;
  std::string message;  // one sentence
};

enum class FindingKind : uint8_t {
  kOutOfBounds,
  kUseAfterFree,
  kUninitialisedRead,
  kSharedRace,
  kBlockRace,
  kBarrierDivergence,
  kInvalidFree,
};

struct MemoryFinding {
  FindingKind kind = FindingKind::kOutOfBounds;
  CodeLocation where;
  ThreadPosition who;  // the first thread that did it
  StateSpace space = StateSpace::kGlobal;
  uint64_t address = 0;
  uint32_t access_bytes = 0;
  bool is_store = false;
  uint64_t allocation = 0;  // MemoryRange::allocation
  uint64_t allocation_base = 0;
  uint64_t allocation_size = 0;
  int64_t distance =
      0;  // out of bounds: bytes from the nearest byte of the allocation, negative before it
  std::optional<CodeLocation> other_where;  // races: the other access
  std::optional<ThreadPosition> other_who;
  uint64_t count = 1;  // how often it happened
};

struct LaunchStatistics {
  uint64_t blocks = 0;
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};

struct LaunchResult {
  std::optional<DeviceFault> fault;
  std::vector<MemoryFinding> findings;
  LaunchStatistics statistics;
  bool may_wait = false;  // the kernel may wait for what others write while it runs

  bool ok() const { return !fault.has_value(); }
};

// `parameters` is the parameter buffer of the kernel, at least KernelInfo::parameter_bytes long
// (shorter reads as zeros). Sizes that no device has (empty grid, more than 1024 threads) are the
// caller's to refuse.
LaunchResult Launch(const Program& program, uint32_t kernel, const LaunchConfig& config,
                    std::span<const std::byte> parameters, const ModuleState& module,
                    const Environment& environment);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_LAUNCH_H_
