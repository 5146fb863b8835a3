// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/kernel_findings.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/memory_object.h"

namespace culprit::fakedriver::handlers {
namespace {

using audit::Rule;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string Triple(const std::array<uint32_t, 3>& v) {
  return fmt::format("({}, {}, {})", v[0], v[1], v[2]);
}

std::string LineOf(const exec::CodeLocation& where) {
  if (where.source_file.empty()) return fmt::format("PTX line {}", where.ptx_line);
  return fmt::format("{}:{}", where.source_file, where.source_line);
}

Facts FactsOf(const exec::CodeLocation& where, const exec::ThreadPosition& who) {
  Facts facts{{"kernel", where.kernel}};
  if (where.function != where.kernel) facts.emplace_back("function", where.function);
  facts.emplace_back("line", LineOf(where));
  facts.emplace_back("instruction", where.instruction);
  facts.emplace_back("block", Triple(who.block));
  facts.emplace_back("thread", Triple(who.thread));
  return facts;
}

std::string AllocationAt(uint64_t address, uint64_t base) {
  const AddressSpace& addresses = Memory::Get().addresses();
  Ref<Allocation> allocation = addresses.Find(base != 0 ? base : address);
  if (!allocation) allocation = addresses.FindFreed(base != 0 ? base : address);
  return allocation ? DescribeMemory(*allocation) : "";
}

bool NeverAllocated(uint64_t address) {
  const Ref<Allocation> allocation = Memory::Get().addresses().Locate(address).allocation;
  return allocation && allocation->stands_for_place();
}

Rule RuleOf(exec::FindingKind kind) {
  switch (kind) {
    case exec::FindingKind::kOutOfBounds:
      return Rule::kMemoryOutOfBounds;
    case exec::FindingKind::kUseAfterFree:
      return Rule::kMemoryUseAfterFree;
    case exec::FindingKind::kUninitialisedRead:
      return Rule::kMemoryUninitialized;
    case exec::FindingKind::kSharedRace:
      return Rule::kMemoryRace;
    case exec::FindingKind::kBlockRace:
      return Rule::kMemoryRaceBetweenBlocks;
    case exec::FindingKind::kBarrierDivergence:
      return Rule::kKernelFault;
    case exec::FindingKind::kInvalidFree:
      return Rule::kMemoryInvalidFree;
  }
  return Rule::kKernelFault;
}

std::string MessageOf(const exec::MemoryFinding& finding) {
  const char* access = finding.is_store ? "store" : "load";
  switch (finding.kind) {
    case exec::FindingKind::kOutOfBounds:
      return fmt::format("A {} of {} bytes at {:#x}, {} bytes {} the nearest allocation", access,
                         finding.access_bytes, finding.address, std::abs(finding.distance),
                         finding.distance < 0 ? "before" : "past");
    case exec::FindingKind::kUseAfterFree:
      return fmt::format("A {} of {} bytes at {:#x}, in memory that {}", access,
                         finding.access_bytes, finding.address,
                         NeverAllocated(finding.address) ? kNotAllocatedYet : "was freed");
    case exec::FindingKind::kUninitialisedRead:
      return fmt::format("A load of {} bytes at {:#x} that nobody wrote", finding.access_bytes,
                         finding.address);
    case exec::FindingKind::kSharedRace:
      return fmt::format("A {} of {} bytes at {:#x} without order to another access", access,
                         finding.access_bytes, finding.address);
    case exec::FindingKind::kBlockRace:
      return fmt::format("A {} of {} bytes at {:#x} in one block, which another block {}", access,
                         finding.access_bytes, finding.address,
                         finding.is_store ? "uses" : "writes");
    case exec::FindingKind::kBarrierDivergence:
      return "Threads of a warp wait at a barrier that others of it do not reach";
    case exec::FindingKind::kInvalidFree:
      return fmt::format("free of {:#x}, which is no block of the device heap", finding.address);
  }
  return {};
}

void RaiseMemory(const exec::MemoryFinding& finding) {
  Facts facts = FactsOf(finding.where, finding.who);
  if (finding.other_where) {
    facts.emplace_back("other line", LineOf(*finding.other_where));
    if (finding.other_who) {
      facts.emplace_back("other block", Triple(finding.other_who->block));
      facts.emplace_back("other thread", Triple(finding.other_who->thread));
    }
  }
  if (finding.count > 1) facts.emplace_back("times", fmt::format("{}", finding.count));
  audit::Raise(RuleOf(finding.kind),
               {.message = MessageOf(finding),
                .object = AllocationAt(finding.address, finding.allocation_base),
                .handle = finding.address,
                .more = std::move(facts)});
}

Rule RuleOfFault(const exec::DeviceFault& fault) {
  switch (fault.kind) {
    case exec::FaultKind::kIllegalAddress: {
      const auto located = Memory::Get().addresses().Locate(fault.address);
      const Allocation* nearest = located.allocation.get();
      const bool freed =
          nearest != nullptr && nearest->Contains(fault.address) && !nearest->alive();
      return freed ? Rule::kMemoryUseAfterFree : Rule::kMemoryOutOfBounds;
    }
    case exec::FaultKind::kMisalignedAddress:
      return Rule::kMemoryMisaligned;
    case exec::FaultKind::kDeadlock:
    case exec::FaultKind::kInstructionLimit:
    case exec::FaultKind::kTimeLimit:
      return Rule::kKernelHang;
    default:
      return Rule::kKernelFault;
  }
}

}  // namespace

void RaiseKernelFindings(const exec::LaunchResult& result) {
  for (const exec::MemoryFinding& finding : result.findings) RaiseMemory(finding);
  if (result.ok() || result.fault->kind == exec::FaultKind::kCancelled) return;
  const exec::DeviceFault& fault = *result.fault;
  audit::Raise(RuleOfFault(fault), {.message = fault.message,
                                    .object = AllocationAt(fault.address, 0),
                                    .handle = fault.address,
                                    .more = FactsOf(fault.where, fault.who)});
}

CUresult ResultOfFault(const exec::DeviceFault& fault) {
  switch (fault.kind) {
    case exec::FaultKind::kIllegalAddress:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case exec::FaultKind::kMisalignedAddress:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case exec::FaultKind::kTrap:
      return CUDA_ERROR_LAUNCH_FAILED;
    case exec::FaultKind::kAssert:
      return CUDA_ERROR_ASSERT;
    case exec::FaultKind::kIllegalInstruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case exec::FaultKind::kInvalidAddressSpace:
      return CUDA_ERROR_INVALID_ADDRESS_SPACE;
    case exec::FaultKind::kInvalidPc:
      return CUDA_ERROR_INVALID_PC;
    case exec::FaultKind::kUnsupportedInstruction:
      return CUDA_ERROR_LAUNCH_FAILED;
    case exec::FaultKind::kDeadlock:
    case exec::FaultKind::kInstructionLimit:
    case exec::FaultKind::kTimeLimit:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case exec::FaultKind::kCancelled:
      return CUDA_SUCCESS;
    case exec::FaultKind::kStackOverflow:
      return CUDA_ERROR_HARDWARE_STACK_ERROR;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

void PrintFromKernel(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace culprit::fakedriver::handlers
