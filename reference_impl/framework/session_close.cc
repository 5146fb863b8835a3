// SPDX-License-Identifier: Apache-2.0
//
// The two halves of the close. Prepare does everything that can fail, in the order of dependence:
// extractors, then what their kernels read, then the device state. Commit frees storage and cannot
// fail once Prepare succeeded.
#include "reference_impl/framework/session.h"

namespace culprit::reference {

Status Session::Close() {
  FirstError first;
  if (threads_ != nullptr) {
    threads_->Wait();
    // A job's failure that no submit and no flush has reported: said now, once, or it would be
    // lost.
    first.Note(threads_->TakeFailure());
  }
  first.Note(Prepare());
  if (!first.ok()) return first.Take();
  return Commit();
}

Status Session::Prepare() {
  FirstError first;
  fetched_.clear();
  first.Note(registered_.Prepare());
  for (const auto& pool : pools_) first.Note(pool->Prepare());
  first.Note(workers_.Prepare());
  // Pictures stay as long as a kernel may read them.
  if (!Quiet()) return first.Take();
  for (auto& [backend, batch] : in_flight_) first.Note(batch.Close());
  for (const auto& ring : failed_rings_) first.Note(ring->Close());
  if (ring_ != nullptr) first.Note(ring_->Close());
  if (!first.ok() || device_ == nullptr) return first.Take();
  return device_->Close();
}

bool Session::Quiet() const {
  for (const auto& pool : pools_) {
    if (!pool->quiet()) return false;
  }
  return registered_.quiet() && workers_.quiet();
}

Status Session::Commit() {
  FirstError first;
  first.Note(registered_.Destroy());
  for (const auto& pool : pools_) first.Note(pool->Destroy());
  first.Note(workers_.Destroy());
  if (!first.ok()) return first.Take();
  pools_.clear();
  ring_.reset();
  failed_rings_.clear();
  device_.reset();
  return Status();
}

}  // namespace culprit::reference
