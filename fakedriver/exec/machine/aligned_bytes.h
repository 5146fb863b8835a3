// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_EXEC_MACHINE_ALIGNED_BYTES_H_
#define FAKEDRIVER_EXEC_MACHINE_ALIGNED_BYTES_H_

#include <cstddef>
#include <memory>
#include <new>

namespace culprit::exec {

// Storage for lanes starts at multiples of this, so that a vector of 16 words never straddles two
// cache lines.
inline constexpr size_t kSlotAlignment = 64;

struct AlignedDelete {
  void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{kSlotAlignment}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

inline AlignedBytes NewAlignedBytes(size_t size) {
  return AlignedBytes(new (std::align_val_t{kSlotAlignment}) std::byte[size]());
}

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_ALIGNED_BYTES_H_
