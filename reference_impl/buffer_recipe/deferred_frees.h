// SPDX-License-Identifier: Apache-2.0
//
// Buffers whose last owner was a graph. The driver calls the destructor of a user object on a
// thread of its own, where calling the driver is forbidden: it may only queue. Somebody drains the
// queue later, from any thread.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_DEFERRED_FREES_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_DEFERRED_FREES_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "reference_impl/buffer_recipe/owning_buffer.h"

namespace culprit::reference {

// Thread-safe.
class DeferredFrees {
 public:
  // A buffer that will come here; see Handover.
  void Expect();
  // Calls no driver.
  void Queue(std::unique_ptr<OwningBuffer> buffer);

  // Frees what is queued. What fails stays queued; the first failure.
  Status Drain(Warnings& warnings);
  // Waits until everything expected has been queued; false when that takes too long.
  bool WaitForExpected();

 private:
  std::mutex mutex_;
  std::condition_variable queued_;
  std::vector<std::unique_ptr<OwningBuffer>> buffers_;
  size_t expected_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_DEFERRED_FREES_H_
