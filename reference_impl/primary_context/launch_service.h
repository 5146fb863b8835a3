// SPDX-License-Identifier: Apache-2.0
//
// A service with two kinds of threads, as an asynchronous runtime has them: workers, which load and
// launch, and a blocking pool, which waits. A job passes from one to the other between its steps.
#ifndef CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_LAUNCH_SERVICE_H_
#define CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_LAUNCH_SERVICE_H_

#include <memory>
#include <vector>

#include "reference_impl/framework/thread_pool.h"
#include "reference_impl/primary_context/fill_job.h"

namespace culprit::reference {

class LaunchService {
 public:
  // The driver is loaded when the first operation needs it.
  LaunchService() : workers_(2), blocking_(1) {}

  // A job on the service's threads.
  Status Run();
  // A job on the calling thread, whose context is put back.
  Status RunDirectly();
  // Another owner in the process releases a retain that is not its own, and resets the device.
  Status OtherOwnerReleasesOnceTooOften();
  Status OtherOwnerResets();
  // Unloads jobs that could not be unloaded before. Retryable.
  Status Release();

 private:
  Status LoadDriver();
  Status RunSteps(FillJob& job);
  Status On(ThreadPool& pool, uint32_t worker, const std::function<Status()>& step);

  std::shared_ptr<const Driver> driver_;
  std::vector<std::unique_ptr<FillJob>> left_;  // whose Unload failed
  unsigned jobs_ = 0;
  ThreadPool workers_;
  ThreadPool blocking_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_LAUNCH_SERVICE_H_
