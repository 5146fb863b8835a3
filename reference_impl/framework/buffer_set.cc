// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/buffer_set.h"

namespace culprit::reference {

Status BufferSet::Open(const std::shared_ptr<Context>& context, size_t bytes,
                       CUdeviceptr* address) {
  Status opened = buffers_.emplace_back().Open(context, bytes);
  *address = opened.ok() ? buffers_.back().get() : 0;
  return opened;
}

Status BufferSet::Close() {
  FirstError first;
  for (Buffer& buffer : buffers_) first.Note(buffer.Close());
  return first.Take();
}

}  // namespace culprit::reference
