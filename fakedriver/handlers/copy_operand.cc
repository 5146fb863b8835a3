// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/copy_operand.h"

#include <optional>

#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/memory_object.h"

namespace culprit::fakedriver::handlers {
namespace {

void Fill(uint64_t address, std::byte* first, const Block& layout, Ref<Allocation> allocation,
          CopyOperand* operand) {
  operand->block = {first, layout.row_pitch, layout.slice_pitch};
  operand->address = address;
  operand->allocation = std::move(allocation);
}

// The allocation that holds the whole span, if one holds its first byte.
CUresult WithinOne(uint64_t address, uint64_t span, const Block& layout, const char* argument,
                   Ref<Allocation> allocation, CopyOperand* operand) {
  if (!allocation->Contains(address, span)) {
    RaiseBadRange(address, span, argument);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (allocation->given_up.load(std::memory_order_acquire)) {
    RaiseBadRange(address, span, argument);  // it works, as long as nobody has waited
  }
  std::byte* first = allocation->At(address);
  Fill(address, first, layout, std::move(allocation), operand);
  return CUDA_SUCCESS;
}

// Nodes of graphs name memory that is there when they run, and need not be when they are made.
Ref<Allocation> PlaceOfGraph(uint64_t address) {
  const Ref<GraphMemory> memory = GraphMemory::At(address);
  return memory ? memory->stand_in() : Ref<Allocation>();
}

}  // namespace

CUresult NeedMemory(const CopyOperand& operand, uint64_t bytes, const char* argument) {
  if (!operand.allocation || !operand.allocation->stands_for_place()) return CUDA_SUCCESS;
  RaiseBadRange(operand.address, bytes, argument);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult DeviceOperand(CUdeviceptr address, const Extent& extent, const Block& layout,
                       const char* argument, CopyOperand* operand) {
  const std::optional<uint64_t> span = SpanOf(extent, layout.row_pitch, layout.slice_pitch);
  if (address == 0 || !span) return CUDA_ERROR_INVALID_VALUE;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(address);
  if (!allocation) allocation = PlaceOfGraph(address);
  if (!allocation) {
    RaiseBadRange(address, *span, argument);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return WithinOne(address, *span, layout, argument, std::move(allocation), operand);
}

CUresult HostOperand(const void* pointer, const Extent& extent, const Block& layout,
                     const char* argument, CopyOperand* operand) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const std::optional<uint64_t> span = SpanOf(extent, layout.row_pitch, layout.slice_pitch);
  if (pointer == nullptr || !span) return CUDA_ERROR_INVALID_VALUE;
  AddressSpace& addresses = Memory::Get().addresses();
  Ref<Allocation> allocation = addresses.Find(address);
  if (!allocation) allocation = PlaceOfGraph(address);
  if (!allocation && addresses.IsDeviceAddress(address)) {
    RaiseBadRange(address, *span, argument);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (allocation) {
    return WithinOne(address, *span, layout, argument, std::move(allocation), operand);
  }
  Fill(address, reinterpret_cast<std::byte*>(address), layout, nullptr, operand);
  return CUDA_SUCCESS;
}

CUresult UnifiedOperand(CUdeviceptr address, const Extent& extent, const Block& layout,
                        const char* argument, CopyOperand* operand) {
  return HostOperand(reinterpret_cast<const void*>(address), extent, layout, argument, operand);
}

}  // namespace culprit::fakedriver::handlers
