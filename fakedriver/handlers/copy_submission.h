// SPDX-License-Identifier: Apache-2.0
//
// Copies and sets as queued work.
//
// A transfer is a value: who builds graphs may keep it and submit it again. What may go wrong with
// asynchronous host memory is made visible under the lazy and random policies: a host destination
// is poisoned when the copy's turn has come and long before it runs, and a host source is hashed,
// so that a change before the copy ran is found.
#ifndef FAKEDRIVER_HANDLERS_COPY_SUBMISSION_H_
#define FAKEDRIVER_HANDLERS_COPY_SUBMISSION_H_

#include <cstdint>

#include "fakedriver/core/copy.h"
#include "fakedriver/core/stream.h"
#include "fakedriver/handlers/copy_operand.h"

namespace culprit::fakedriver::handlers {

struct Transfer {
  CopyOperand to;
  CopyOperand from;  // of copies
  Extent extent;
  bool fill = false;
  bool source_during_call = false;  // a host source is the caller's again when the call returns
  uint32_t value = 0;               // of sets
  uint32_t element = 1;             // bytes of the value: 1, 2, 4
};

enum class HostWait : uint8_t {
  kForCompletion,  // the call returns when the bytes have arrived
  kAsMeasured,     // an asynchronous call: pageable memory may make it wait
};

// Queues the transfer. Nothing to move succeeds at once.
CUresult Submit(Transfer transfer, Stream& stream, HostWait wait);

// Whether synchronous calls for this memory return when they are done, those that set or copy
// device memory included.
bool SynchronizesHost(const Allocation& allocation);

// Does it now, on this thread.
void Perform(const Transfer& transfer);

// The same for a transfer that was set up long ago (a node of a graph): memory that is gone by now
// is a finding, and CUDA_ERROR_ILLEGAL_ADDRESS when nothing is mapped there any more.
CUresult PerformIfThere(const Transfer& transfer);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_COPY_SUBMISSION_H_
