// SPDX-License-Identifier: Apache-2.0
//
// Launches a kernel of this project: one thread a sample, blocks of 16 x 16.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

inline constexpr unsigned kBlockSide = 16;

// The arguments must have exactly the types of the kernel's parameters.
template <typename... Arguments>
Status LaunchOverPlane(const Stream& stream, CUfunction function, unsigned width, unsigned height,
                       Arguments... arguments) {
  void* parameters[] = {&arguments...};
  const unsigned columns = (width + kBlockSide - 1) / kBlockSide;
  const unsigned rows = (height + kBlockSide - 1) / kBlockSide;
  return InContext(stream.context(), [&] {
    return stream.driver().cuLaunchKernel(function, columns, rows, 1, kBlockSide, kBlockSide, 1,
                                          /*sharedMemBytes=*/0, stream.get(), parameters, nullptr);
  });
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_
