// SPDX-License-Identifier: Apache-2.0
//
// Launches a kernel of this project: one thread a sample, blocks of 16 x 16.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

inline constexpr unsigned kBlockSide = 16;

// Blocks of a launch over a plane: the number of partial sums it leaves.
inline size_t BlocksOver(uint32_t width, uint32_t height) {
  return size_t{(width + kBlockSide - 1) / kBlockSide} * ((height + kBlockSide - 1) / kBlockSide);
}

// Partial sums in the order of their blocks.
inline double SumOf(const double* partials, size_t count) {
  return std::accumulate(partials, partials + count, 0.0);
}

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

// One block of 256 threads a row, for each of `layers`.
template <typename... Arguments>
Status LaunchOverRows(const Stream& stream, CUfunction function, unsigned rows, unsigned layers,
                      Arguments... arguments) {
  void* parameters[] = {&arguments...};
  return InContext(stream.context(), [&] {
    return stream.driver().cuLaunchKernel(function, rows, layers, 1, kBlockSide * kBlockSide, 1, 1,
                                          /*sharedMemBytes=*/0, stream.get(), parameters, nullptr);
  });
}

// One thread a line of a plane, in blocks of 64, for each of `layers`.
template <typename... Arguments>
Status LaunchOverLines(const Stream& stream, CUfunction function, unsigned lines, unsigned layers,
                       Arguments... arguments) {
  constexpr unsigned kLinesOfBlock = 64;
  void* parameters[] = {&arguments...};
  const unsigned blocks = (lines + kLinesOfBlock - 1) / kLinesOfBlock;
  return InContext(stream.context(), [&] {
    return stream.driver().cuLaunchKernel(function, blocks, layers, 1, kLinesOfBlock, 1, 1,
                                          /*sharedMemBytes=*/0, stream.get(), parameters, nullptr);
  });
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_LAUNCH_H_
