// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/kernel_lifecycle.h"

namespace culprit::reference {

Status KernelLifecycle::Open(const std::shared_ptr<Context>& context) {
  Status created = Create(context);
  // The creation's error is the one to report; a rollback that fails keeps its handles for Close.
  if (!created.ok()) static_cast<void>(Close());
  return created;
}

Status KernelLifecycle::Create(const std::shared_ptr<Context>& context) {
  Status stream = stream_.Open(context);
  if (!stream.ok()) return stream;
  Status submitted = submitted_.Open(context);
  if (!submitted.ok()) return submitted;
  return finished_.Open(context);
}

Status KernelLifecycle::Close() {
  FirstError first;
  first.Note(stream_.Close());
  if (!quiet()) return first.Take();
  first.Note(submitted_.Close());
  first.Note(finished_.Close());
  return first.Take();
}

}  // namespace culprit::reference
