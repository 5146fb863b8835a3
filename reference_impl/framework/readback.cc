// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/readback.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status ReadbackBytes::Open(const std::shared_ptr<Context>& context, size_t bytes) {
  bytes_ = bytes;
  Status device = device_.Open(context, bytes);
  if (!device.ok()) return device;
  Status host = host_.Open(context, bytes);
  if (!host.ok()) static_cast<void>(device_.Close());
  return host;
}

Status ReadbackBytes::Close() {
  FirstError first;
  first.Note(device_.Close());
  first.Note(host_.Close());
  return first.Take();
}

Status ReadbackBytes::EnqueueClear(const Stream& stream) const {
  return InContext(device_.context(), [&] {
    return device_.driver().cuMemsetD8Async(device_.get(), 0, bytes_, stream.get());
  });
}

Status ReadbackBytes::EnqueueCopy(const Stream& stream, size_t offset, size_t bytes) const {
  return InContext(device_.context(), [&] {
    return device_.driver().cuMemcpyDtoHAsync(static_cast<char*>(host_.get()) + offset,
                                              device_.get() + offset, bytes, stream.get());
  });
}

}  // namespace culprit::reference
