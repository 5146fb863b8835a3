// SPDX-License-Identifier: Apache-2.0
//
// Waits for and writes of single words of memory, as queued work.
#ifndef FAKEDRIVER_HANDLERS_STREAM_VALUES_H_
#define FAKEDRIVER_HANDLERS_STREAM_VALUES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "fakedriver/core/stream.h"
#include "fakedriver/handlers/copy_operand.h"

namespace culprit::fakedriver::handlers {

struct ValueOperation {
  CopyOperand word;
  uint64_t value = 0;
  uint32_t bytes = 4;
  bool wait = false;
  unsigned condition = 0;  // CUstreamWaitValue_flags without the flush

  bool Satisfied() const;
  void Write() const;
};

// Checks and translates what cuStreamBatchMemOp takes. Barriers and flushes order nothing more here
// than the stream does.
CUresult TranslateBatch(std::span<const CUstreamBatchMemOpParams> batch,
                        std::vector<ValueOperation>* operations);

// Queues them, in order.
void Submit(const std::vector<ValueOperation>& operations, Stream& stream);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_STREAM_VALUES_H_
