// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/grid.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "fakedriver/exec/decode/code_cache.h"
#include "fakedriver/exec/machine/address_windows.h"

namespace culprit::exec {
namespace {

// A launch shorter than this never pays for another thread.
constexpr auto kLongLaunch = std::chrono::milliseconds(1);

constexpr uint64_t kGridWorkspaceBytes = 256;

uint64_t SpecialValue(const LaunchConfig& config, const LaunchState& launch, SpecialRegister r) {
  const Dim3& cluster = config.cluster;
  switch (r) {
    case SpecialRegister::kNtidX:
      return config.block.x;
    case SpecialRegister::kNtidY:
      return config.block.y;
    case SpecialRegister::kNtidZ:
      return config.block.z;
    case SpecialRegister::kNctaidX:
      return config.grid.x;
    case SpecialRegister::kNctaidY:
      return config.grid.y;
    case SpecialRegister::kNctaidZ:
      return config.grid.z;
    case SpecialRegister::kNwarpid:
      return (config.block.Count() + kLanes - 1) / kLanes;
    case SpecialRegister::kNsmid:
      return launch.environment.device.sm_count;
    case SpecialRegister::kDynamicSmemSize:
      return config.dynamic_shared_bytes;
    case SpecialRegister::kTotalSmemSize:
      return launch.shared_bytes;
    case SpecialRegister::kAggrSmemSize:
      return launch.shared_bytes;
    case SpecialRegister::kNclusteridX:
      return config.grid.x / cluster.x;
    case SpecialRegister::kNclusteridY:
      return config.grid.y / cluster.y;
    case SpecialRegister::kNclusteridZ:
      return config.grid.z / cluster.z;
    case SpecialRegister::kClusterNctaidX:
      return cluster.x;
    case SpecialRegister::kClusterNctaidY:
      return cluster.y;
    case SpecialRegister::kClusterNctaidZ:
      return cluster.z;
    case SpecialRegister::kClusterNctarank:
      return cluster.Count();
    case SpecialRegister::kEnvreg1:
      return launch.grid_workspace >> 32;
    case SpecialRegister::kEnvreg2:
      return launch.grid_workspace & UINT32_MAX;
    case SpecialRegister::kIsExplicitCluster:
      return cluster.Count() > 1 ? UINT32_MAX : 0;
    default:
      return 0;
  }
}

uint64_t ValueOf(const Constant& constant, const LaunchState& launch) {
  switch (constant.kind) {
    case Constant::Kind::kLiteral:
      return constant.value;
    case Constant::Kind::kParameter: {
      uint64_t value = 0;
      if (constant.value < launch.parameters.size()) {
        size_t size = std::min<size_t>(constant.bytes, launch.parameters.size() - constant.value);
        std::memcpy(&value, launch.parameters.data() + constant.value, size);
      }
      if (constant.sign_extended && constant.bytes < 8) {
        int unused = 64 - 8 * constant.bytes;
        value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
      }
      return value;
    }
    case Constant::Kind::kGlobal: {
      const std::vector<uint64_t>& addresses = launch.module.global_addresses;
      return (constant.index < addresses.size() ? addresses[constant.index] : 0) + constant.value;
    }
    case Constant::Kind::kSpecial:
      return SpecialValue(launch.config, launch, static_cast<SpecialRegister>(constant.index));
  }
  return 0;
}

template <typename T>
void Fill(std::byte* at, uint64_t value) {
  std::fill_n(reinterpret_cast<T*>(at), kLanes, static_cast<T>(value));
}

void FillConstants(LaunchState& launch) {
  launch.constants = NewAlignedBytes(std::max(64u, launch.code.constant_bytes));
  for (const Constant& constant : launch.code.constants) {
    std::byte* at = launch.constants.get() + constant.offset;
    uint64_t value = ValueOf(constant, launch);
    switch (constant.size) {
      case 1:
        std::memcpy(at, &value, 4);
        break;
      case 2:
        Fill<uint16_t>(at, value);
        break;
      case 4:
        Fill<uint32_t>(at, value);
        break;
      default:
        Fill<uint64_t>(at, value);
        break;
    }
  }
}

// 0 when the heap is exhausted; grid synchronisation then traps, as it does in a launch that is not
// cooperative.
uint64_t NewGridWorkspace(DeviceMemory& memory) {
  uint64_t address = memory.HeapAllocate(kGridWorkspaceBytes);
  MemoryRange range = address == 0 ? MemoryRange{} : memory.Find(address);
  if (range.backing != nullptr)
    std::memset(range.backing + (address - range.base), 0, kGridWorkspaceBytes);
  return address;
}

void RunBlocks(LaunchState& launch) {
  const unsigned wanted =
      launch.code.order_sensitive || launch.config.cooperative || launch.block_races != nullptr
          ? 1
          : launch.environment.workers;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> helpers;
  bool may_start = wanted > 1 && launch.block_count() > 1;
  Worker worker(launch);
  worker.Run([&] {
    if (!may_start || std::chrono::steady_clock::now() - begin < kLongLaunch) return;
    may_start = false;
    for (unsigned n = 1; n < wanted; ++n) {
      helpers.emplace_back([&launch] { Worker(launch).Run([] {}); });
    }
  });
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace

LaunchResult Launch(const Program& program, uint32_t kernel, const LaunchConfig& config,
                    std::span<const std::byte> parameters, const ModuleState& module,
                    const Environment& environment) {
  LaunchResult result;
  const KernelCode& code = program.code().Get(kernel);
  if (!code.error.empty()) {
    result.fault.emplace();
    result.fault->kind = FaultKind::kUnsupportedInstruction;
    result.fault->where.kernel = program.kernels()[kernel].name;
    result.fault->where.ptx_line = code.error_line;
    result.fault->message = code.error;
    return result;
  }
  LaunchState launch{.program = program,
                     .code = code,
                     .config = config,
                     .environment = environment,
                     .module = module,
                     .parameters = parameters,
                     .constants = nullptr,
                     .findings = Findings(environment.checks.findings_kept),
                     .print_mutex = {}};
  launch.shared_bytes = code.static_shared_bytes + config.dynamic_shared_bytes;
  if (environment.limits.nanoseconds != 0) {
    launch.deadline =
        std::chrono::steady_clock::now() + std::chrono::nanoseconds(environment.limits.nanoseconds);
  }
  // Grid synchronisation counts arrivals in memory whose address kernels find in %envreg1 and
  // %envreg2.
  if (config.cooperative) launch.grid_workspace = NewGridWorkspace(environment.memory);
  if (environment.checks.block_races && !code.orders_blocks && !config.cooperative &&
      launch.block_count() > 1) {
    launch.block_races = std::make_unique<BlockRaces>();
  }
  FillConstants(launch);
  RunBlocks(launch);
  if (launch.grid_workspace != 0) environment.memory.HeapFree(launch.grid_workspace);
  result.statistics.blocks = std::min(launch.next_block.load(), launch.block_count());
  result.statistics.warp_instructions = launch.warp_instructions;
  result.statistics.lane_instructions = launch.lane_instructions;
  result.may_wait = code.may_wait;
  launch.findings.MoveTo(result);
  return result;
}

}  // namespace culprit::exec
