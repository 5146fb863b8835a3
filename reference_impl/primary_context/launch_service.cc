// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/primary_context/launch_service.h"

#include "reference_impl/primary_context/primary_context.h"

namespace culprit::reference {

Status LaunchService::LoadDriver() {
  return driver_ != nullptr ? Status() : Driver::Load(&driver_);
}

Status LaunchService::On(ThreadPool& pool, uint32_t worker, const std::function<Status()>& step) {
  pool.Enqueue(worker, 0, step);
  pool.Wait();
  return pool.TakeFailure();
}

Status LaunchService::RunSteps(FillJob& job) {
  Status loaded = On(workers_, 0, [&] { return job.Load(); });
  if (!loaded.ok()) return loaded;
  Status launched = On(workers_, 1, [&] { return job.Launch(); });
  if (!launched.ok()) return launched;
  Status waited = On(blocking_, 0, [&] { return job.Synchronize(); });
  if (!waited.ok()) return waited;
  return job.Check();
}

Status LaunchService::Run() {
  Status loaded = LoadDriver();
  if (!loaded.ok()) return loaded;
  auto job = std::make_unique<FillJob>(*driver_, ++jobs_ * 1000);
  FirstError first;
  first.Note(RunSteps(*job));
  first.Note(On(workers_, 1, [&] { return job->Unload(); }));
  if (!job->unloaded()) left_.push_back(std::move(job));
  return first.Take();
}

Status LaunchService::RunDirectly() {
  Status loaded = LoadDriver();
  if (!loaded.ok()) return loaded;
  BorrowedThread thread(*driver_);
  Status bound = thread.Bind();
  if (!bound.ok()) return bound;
  auto job = std::make_unique<FillJob>(*driver_, ++jobs_ * 1000);
  FirstError first;
  if (first.Note(job->Load()) && first.Note(job->Launch()) && first.Note(job->Synchronize())) {
    first.Note(job->Check());
  }
  first.Note(job->Unload());
  if (!job->unloaded()) left_.push_back(std::move(job));
  first.Note(thread.Restore());
  return first.Take();
}

Status LaunchService::OtherOwnerReleasesOnceTooOften() {
  Status loaded = LoadDriver();
  if (!loaded.ok()) return loaded;
  CUcontext context = nullptr;
  Status retained = driver_->cuDevicePrimaryCtxRetain(&context, 0);
  if (!retained.ok()) return retained;
  FirstError first;
  first.Note(driver_->cuDevicePrimaryCtxRelease(0));
  first.Note(driver_->cuDevicePrimaryCtxRelease(0));
  return first.Take();
}

Status LaunchService::OtherOwnerResets() {
  Status loaded = LoadDriver();
  if (!loaded.ok()) return loaded;
  return driver_->cuDevicePrimaryCtxReset(0);
}

Status LaunchService::Release() {
  FirstError first;
  std::erase_if(left_, [&](const auto& job) {
    first.Note(On(workers_, 0, [&] { return job->Unload(); }));
    return job->unloaded();
  });
  return first.Take();
}

}  // namespace culprit::reference
