// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/table_upload.h"

#include <cstring>

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status TableUpload::Open(const std::shared_ptr<Context>& context, const void* table, size_t bytes) {
  Status stream = stream_.Open(context);
  if (!stream.ok()) return stream;
  Status ready = ready_.Open(context);
  if (!ready.ok()) return ready;
  Status staging = staging_.Open(context, bytes);
  if (!staging.ok()) return staging;
  Status device = table_.Open(context, bytes);
  if (!device.ok()) return device;
  std::memcpy(staging_.get(), table, bytes);
  Status queued = InContext(*context, [&] {
    return context->driver().cuMemcpyHtoDAsync(table_.get(), staging_.get(), bytes, stream_.get());
  });
  if (!queued.ok()) return queued;
  return ready_.Record(stream_);
}

Status TableUpload::Close() {
  FirstError first;
  first.Note(stream_.Close());
  if (stream_.open()) return first.Take();
  first.Note(table_.Close());
  first.Note(staging_.Close());
  first.Note(ready_.Close());
  return first.Take();
}

}  // namespace culprit::reference
