// SPDX-License-Identifier: Apache-2.0
//
// One side of a copy or set: a block of bytes in an allocation or in the application's own memory,
// checked to the byte.
#ifndef FAKEDRIVER_HANDLERS_COPY_OPERAND_H_
#define FAKEDRIVER_HANDLERS_COPY_OPERAND_H_

#include <cstdint>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/allocation.h"
#include "fakedriver/core/copy.h"

namespace culprit::fakedriver::handlers {

struct CopyOperand {
  Block block;                 // host addresses
  uint64_t address = 0;        // as the caller named it
  Ref<Allocation> allocation;  // null: the application's own pageable memory

  bool pageable() const { return !allocation; }
  // The application can see the bytes without a copy.
  bool host() const { return !allocation || IsHostAccessible(allocation->memory()); }
};

// The pitches of `layout` are used, its `first` is not. Each answers CUDA_ERROR_INVALID_VALUE for
// bytes that are not all in one live allocation, and raises the finding.

// Memory of a graph is found whether or not a launch has allocated it: work that is queued now and
// is no node must ask for that.
CUresult NeedMemory(const CopyOperand& operand, uint64_t bytes, const char* argument);

// A pointer that must name device-addressable memory.
CUresult DeviceOperand(CUdeviceptr address, const Extent& extent, const Block& layout,
                       const char* argument, CopyOperand* operand);
// A pointer that must name memory the host can touch.
CUresult HostOperand(const void* address, const Extent& extent, const Block& layout,
                     const char* argument, CopyOperand* operand);
// A pointer of either sort, which the driver tells apart by its value.
CUresult UnifiedOperand(CUdeviceptr address, const Extent& extent, const Block& layout,
                        const char* argument, CopyOperand* operand);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_COPY_OPERAND_H_
