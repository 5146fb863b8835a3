// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/drain_batch.h"

namespace culprit::reference {

Status DrainBatch::WaitForAll(const std::shared_ptr<Context>& context) {
  bool anything = false;
  for (const Pending& pending : pending_) {
    const KernelLifecycle* lifecycle = pending.extractor->lifecycle();
    if (lifecycle == nullptr) continue;
    if (!stream_.open()) {
      Status opened = stream_.Open(context);
      if (!opened.ok()) return opened;
    }
    Status queued = stream_.Wait(lifecycle->finished());
    if (!queued.ok()) return queued;
    anything = true;
  }
  return anything ? stream_.Synchronize() : Status();
}

Status DrainBatch::Collect(const std::shared_ptr<Context>& context, Reach reach,
                           FeatureCollector& collector) {
  Status finished = WaitForAll(context);
  if (!finished.ok()) return finished;
  FirstError first;
  for (const Pending& pending : pending_) {
    first.Note(pending.extractor->Collect(pending.index, reach, collector));
  }
  pending_.clear();
  return first.Take();
}

}  // namespace culprit::reference
