// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/memory_object.h"

#include <fmt/format.h>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/shared_memory.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

using audit::Raise;
using audit::Rule;

std::string Hex(uint64_t value) { return fmt::format("{:#x}", value); }

// Where `address` lies as seen from the allocation.
std::string Position(uint64_t address, const Allocation& allocation) {
  if (address < allocation.base()) {
    return fmt::format("{} bytes before", allocation.base() - address);
  }
  if (address >= allocation.end()) {
    return fmt::format("{} bytes past the end of", address - allocation.end());
  }
  return fmt::format("{} bytes into", address - allocation.base());
}

}  // namespace

CUresult Allocate(Context& context, MemoryKind kind, uint64_t size, Ref<Allocation>* allocation) {
  const Device& device = context.device();
  auto made = Make<Allocation>(kind, &context, device.ordinal(), size);
  if (CUresult result = Memory::Get().Place(made, device); result != CUDA_SUCCESS) return result;
  RegisterWithoutCell(made, made->base());
  *allocation = std::move(made);
  return CUDA_SUCCESS;
}

namespace {

// CUDA driver API, cuIpcOpenMemHandle: freeing exported memory that is still open elsewhere is
// undefined.
void RaiseIfOpenElsewhere(const Allocation& allocation, const char* argument) {
  const std::shared_ptr<const ExportRecord> exported = allocation.exported();
  const int32_t opener = exported != nullptr ? exported->Opener() : 0;
  if (opener == 0) return;
  Raise(Rule::kMemoryFreedBusy, {.message = "Memory was freed while another process has it open",
                                 .argument = argument,
                                 .object = DescribeMemory(allocation),
                                 .handle = allocation.base(),
                                 .more = {{"process", std::to_string(opener)}}});
}

}  // namespace

void RaiseIfBusy(const Allocation& allocation, const char* argument) {
  RaiseIfOpenElsewhere(allocation, argument);
  if (allocation.pending.load(std::memory_order_acquire) == 0) return;
  Raise(Rule::kMemoryFreedBusy, {.message = "Memory was freed while queued work still uses it",
                                 .argument = argument,
                                 .object = DescribeMemory(allocation),
                                 .handle = allocation.base()});
}

CUresult SynchronizeAllContexts() {
  for (const Ref<Context>& context : Driver::Get().contexts()) {
    if (context->alive()) context->Synchronize();
  }
  return Driver::Get().sticky_error();
}

CUresult QuiesceBeforeFree(Allocation& allocation, const char* argument) {
  RaiseIfBusy(allocation, argument);
  if (Context* context = allocation.context()) context->Synchronize();
  return Driver::Get().sticky_error();
}

bool End(const Ref<Allocation>& allocation) {
  if (!Unregister(allocation)) return false;
  Memory::Get().Release(*allocation);
  return true;
}

void RaiseFreedBefore(const Allocation& allocation, const char* argument) {
  RefuseHandle(Liveness::kDestroyed, allocation.record(),
               reinterpret_cast<const void*>(allocation.base()), argument, true);
}

CUresult RefuseDeadCurrentContext() {
  const Context* current = CurrentContext();
  const bool dead = current != nullptr && !current->alive();
  return dead ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

CUresult RefuseFree(uint64_t address, const char* argument) {
  Memory& memory = Memory::Get();
  if (memory.TakeAmbiguous(address)) return CUDA_SUCCESS;
  AddressSpace& addresses = memory.addresses();
  if (Ref<Allocation> inside = addresses.Find(address)) {
    const bool at_start = inside->base() == address;
    Raise(at_start ? Rule::kMemoryWrongFree : Rule::kMemoryInvalidFree,
          {.message = at_start ? fmt::format("{} cannot be freed this way", Name(inside->memory()))
                               : fmt::format("The address is {} an allocation",
                                             Position(address, *inside)),
           .argument = argument,
           .object = DescribeMemory(*inside),
           .handle = address});
    return CUDA_ERROR_INVALID_VALUE;
  }
  Ref<Allocation> freed = addresses.FindFreed(address);
  if (freed && freed->stands_for_place()) {
    Raise(Rule::kMemoryInvalidFree,
          {.message = fmt::format("The address is {} memory that {}", Position(address, *freed),
                                  kNotAllocatedYet),
           .argument = argument,
           .object = DescribeMemory(*freed),
           .handle = address});
  } else if (freed && freed->base() == address) {
    RaiseFreedBefore(*freed, argument);
  } else {
    Raise(Rule::kMemoryInvalidFree, {.message = Hex(address) + " is no address of an allocation",
                                     .argument = argument,
                                     .object = freed ? DescribeMemory(*freed) : "",
                                     .handle = address});
  }
  return CUDA_ERROR_INVALID_VALUE;
}

void RaiseBadRange(uint64_t address, uint64_t bytes, const char* argument) {
  const AddressSpace::Located located = Memory::Get().addresses().Locate(address);
  const Allocation* nearest = located.allocation.get();
  const bool inside = nearest != nullptr && nearest->Contains(address);
  const bool never = inside && nearest->stands_for_place();
  const bool freed = inside && (never || !nearest->alive());
  std::string message;
  if (nearest == nullptr) {
    message = fmt::format("{} bytes at {} are outside every allocation", bytes, Hex(address));
  } else if (freed) {
    message = fmt::format("{} bytes at {} are in memory that {}", bytes, Hex(address),
                          never ? kNotAllocatedYet : "was freed");
  } else if (nearest->Contains(address)) {
    message = fmt::format("{} bytes at {} end {} bytes past the allocation", bytes, Hex(address),
                          address + bytes - nearest->end());
  } else {
    message = fmt::format("{} bytes at {} are {} the nearest allocation", bytes, Hex(address),
                          Position(address, *nearest));
  }
  Raise(freed ? Rule::kMemoryUseAfterFree : Rule::kMemoryOutOfBounds,
        {.message = std::move(message),
         .argument = argument,
         .object = nearest != nullptr ? DescribeMemory(*nearest) : "",
         .handle = address});
}

std::string DescribeMemory(const Allocation& allocation) {
  return fmt::format("{} ({}, {} bytes)", Describe(allocation.record()), Name(allocation.memory()),
                     allocation.size());
}

}  // namespace culprit::fakedriver::handlers
