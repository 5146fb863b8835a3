// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/extractor_context.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status ExtractorContext::Init(const ExtractorSetup& setup) {
  if (initialized_) return Status();
  close_required_ = descriptor_.backend == Backend::kCuda;
  Status done = extractor_->Init(setup, options_);
  initialized_ = done.ok();
  return std::move(done).Explain(Where("init"));
}

Status ExtractorContext::Submit(const FramePair& pair) {
  return extractor_->Submit(pair).Explain(Where("submit"));
}

Status ExtractorContext::Collect(uint32_t index, Reach reach, FeatureCollector& collector) {
  return extractor_->Collect(index, reach, collector).Explain(Where("collect"));
}

Status ExtractorContext::Flush(FeatureCollector& collector) {
  return extractor_->Flush(collector).Explain(Where("flush"));
}

Status ExtractorContext::Extract(const FramePair& pair, const ExtractorSetup& setup,
                                 FeatureCollector& collector) {
  const auto extract = [&] {
    Status ready = Init(setup);
    if (!ready.ok()) return ready;
    Status submitted = Submit(pair);
    if (!submitted.ok()) return submitted;
    if (lifecycle() != nullptr) {
      Status finished = lifecycle()->finished().Synchronize();
      if (!finished.ok()) return finished;
    }
    return Collect(pair.index, Reach::kMoreFrames, collector);
  };
  const auto extract_to_the_end = [&] {
    FirstError first;
    // A failure may leave a kernel queued that reads the pictures, and the caller gives them back.
    if (!first.Note(extract()) && lifecycle() != nullptr && !lifecycle()->quiet()) {
      first.Note(lifecycle()->stream().Synchronize());
    }
    return first.Take();
  };
  const bool on_device = descriptor_.backend == Backend::kCuda && setup.context != nullptr;
  return on_device ? InContext(*setup.context, extract_to_the_end) : extract_to_the_end();
}

Status ExtractorContext::Close() {
  if (prepared()) return Status();
  Status closed = extractor_->Close();
  if (closed.ok()) {
    initialized_ = false;
    close_required_ = false;
  }
  return std::move(closed).Explain(Where("close"));
}

bool ExtractorContext::quiet() const {
  return prepared() || extractor_->lifecycle() == nullptr || extractor_->lifecycle()->quiet();
}

}  // namespace culprit::reference
