// SPDX-License-Identifier: Apache-2.0
//
// From pointers to allocations: making them, finding them, ending them, and saying what is wrong
// with a pointer that names none.
#ifndef FAKEDRIVER_HANDLERS_MEMORY_OBJECT_H_
#define FAKEDRIVER_HANDLERS_MEMORY_OBJECT_H_

#include <cstdint>
#include <string>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/allocation.h"
#include "fakedriver/core/context.h"

namespace culprit::fakedriver::handlers {

// Makes, places and registers memory of `context`'s device.
CUresult Allocate(Context& context, MemoryKind kind, uint64_t size, Ref<Allocation>* allocation);

// Raises memory.freed_busy when queued work uses the allocation that is about to go.
void RaiseIfBusy(const Allocation& allocation, const char* argument);

// For memory of no context: waits for all work there is. Returns the sticky error, if any.
CUresult SynchronizeAllContexts();

// Waits for the work of the allocation's context, as vendor drivers do before memory goes away;
// raises memory.freed_busy when some of that work uses it. Returns the sticky error, if any.
CUresult QuiesceBeforeFree(Allocation& allocation, const char* argument);

// Ends the allocation: the object, its addresses, its bytes. False: another thread was faster.
bool End(const Ref<Allocation>& allocation);

// The current context may be dead (a released primary one): then nothing can be freed.
CUresult RefuseDeadCurrentContext();

// Raises the finding for a pointer that cannot be freed and returns CUDA_ERROR_INVALID_VALUE: freed
// before, inside an allocation, of another kind, or never given out. A free that follows one whose
// success an injected error hid succeeds.
CUresult RefuseFree(uint64_t address, const char* argument);

// Raises handle.double_destroy, or what else a free of memory means that was freed before.
void RaiseFreedBefore(const Allocation& allocation, const char* argument);

// Raises memory.out_of_bounds or memory.use_after_free for an access of the host's making (copies,
// sets) to [address, address + bytes), which is no part of one live allocation.
void RaiseBadRange(uint64_t address, uint64_t bytes, const char* argument);

// Of memory of a graph, after "memory that".
inline constexpr char kNotAllocatedYet[] = "no launch of its graph has allocated";

// "allocation #3 (64 bytes), created by call 12 (cuMemAlloc_v2), ..."
std::string DescribeMemory(const Allocation& allocation);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_MEMORY_OBJECT_H_
