// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/cuda_extractor.h"

#include <cerrno>

namespace culprit::reference {

Status CudaExtractor::Init(const ExtractorSetup& setup, const Options& options) {
  geometry_ = setup.geometry;
  Status configured = Configure(options);
  if (!configured.ok() || device_free()) return configured;
  if (setup.context == nullptr) return ExtractorFailure(-EINVAL, "no device state was imported");
  on_device_ = true;
  Status created = Create(setup.context);
  // The creation's error is the one to report; what its rollback leaves stays for Close.
  if (!created.ok()) static_cast<void>(Close());
  return created;
}

Status CudaExtractor::Create(const std::shared_ptr<Context>& context) {
  Status lifecycle = lifecycle_.Open(context);
  if (!lifecycle.ok()) return lifecycle;
  if (result_bytes() != 0) {
    Status results = results_.Open(context, result_bytes());
    if (!results.ok()) return results;
  }
  return OpenKernels(context);
}

Status CudaExtractor::Close() {
  FirstError first;
  first.Note(lifecycle_.Close());
  if (!lifecycle_.quiet()) return first.Take();
  first.Note(results_.Close());
  first.Note(scratch_.Close());
  first.Note(CloseModules());
  return first.Take();
}

Status CudaExtractor::Submit(const FramePair& pair) {
  if (!on_device_) return Status();
  Status cleared = ClearResults();
  if (!cleared.ok()) return cleared;
  for (const Picture* picture : {pair.reference_picture, pair.distorted_picture}) {
    Status uploaded = stream().Wait(picture->ready());
    if (!uploaded.ok()) return uploaded;
  }
  Status launched = Launch(pair);
  if (!launched.ok()) return launched;
  Status submitted = lifecycle_.submitted().Record(stream());
  if (!submitted.ok()) return submitted;
  Status copied = SendHome();
  if (!copied.ok()) return copied;
  return lifecycle_.finished().Record(stream());
}

Status CudaExtractor::ClearResults() { return results_.EnqueueClear(stream()); }

Status CudaExtractor::SendHome() { return results_.EnqueueCopy(stream(), 0, result_bytes()); }

}  // namespace culprit::reference
