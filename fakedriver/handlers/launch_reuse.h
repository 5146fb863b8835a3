// SPDX-License-Identifier: Apache-2.0
//
// A launch whose inputs were seen before need not be computed again. A sweep runs the same life
// cycle thousands of times, and its kernels read the same bytes each time.
//
// The inputs of a launch are its program, kernel, configuration, parameters, device and checks, the
// addresses of its module's variables, and the content of every allocation that it looked at,
// before it changed anything there. All of them are kept and compared byte for byte; nothing is
// concluded from a digest. A launch that reads a clock, polls, uses textures or the device's heap,
// prints, meets memory that is not alive, faults or has findings is computed every time.
#ifndef FAKEDRIVER_HANDLERS_LAUNCH_REUSE_H_
#define FAKEDRIVER_HANDLERS_LAUNCH_REUSE_H_

#include <atomic>
#include <memory>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/context.h"
#include "fakedriver/exec/launch.h"
#include "fakedriver/handlers/kernel_launch.h"
#include "fakedriver/handlers/stream_races.h"

namespace culprit::fakedriver::handlers {

// Of one launch, on one thread at a time unless said otherwise.
class LaunchReuse {
 public:
  // Does nothing unless the harness has switched it on.
  LaunchReuse(const KernelLaunch& launch, const Context& context);
  ~LaunchReuse();
  LaunchReuse(const LaunchReuse&) = delete;
  LaunchReuse& operator=(const LaunchReuse&) = delete;

  // Writes to memory what the launch wrote the last time, and says what it touched where that was
  // followed. False: its inputs were never seen.
  bool Reproduce(std::vector<LaunchAccess>* accesses);

  // While it is computed. The first look at an allocation comes before any change of it.
  void FirstLook(const Ref<Allocation>& allocation);
  void DependsOnMore() { possible_ = false; }

  // Once it has been computed.
  void Keep(const exec::LaunchResult& result, const std::vector<LaunchAccess>& accesses);

 private:
  struct Inputs;
  struct Seen;
  struct Store;

  std::unique_ptr<Seen> seen_;
  std::atomic<bool> possible_{
      false};  // printing kernels withdraw it from the thread that runs them
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_LAUNCH_REUSE_H_
