// SPDX-License-Identifier: Apache-2.0
//
// The bytes of device memory move once: when a block is exported, its whole run of granules goes to
// a file that other processes can map. Neighbours in the run belong to other threads and other
// contexts, whose work no export waits for. So whoever writes bytes of device memory holds them in
// place meanwhile, and the move waits for them; they wait for a move, which is short.
//
// Nothing that waits for another thread of the program may happen inside, host functions above all.
// Kernels that poll are the exception: while one runs, other work goes on, and only exports wait.
#ifndef FAKEDRIVER_CORE_BYTES_IN_PLACE_H_
#define FAKEDRIVER_CORE_BYTES_IN_PLACE_H_

#include <mutex>
#include <shared_mutex>

namespace culprit::fakedriver {

namespace bytes_in_place_internal {
inline std::shared_mutex& Mutex() {
  static auto* const mutex = new std::shared_mutex;  // programs call the driver until the very end
  return *mutex;
}
}  // namespace bytes_in_place_internal

// Not to be nested.
class BytesInPlace {
 public:
  BytesInPlace() : lock_(bytes_in_place_internal::Mutex()) {}

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

class BytesOnTheMove {
 public:
  BytesOnTheMove() : lock_(bytes_in_place_internal::Mutex()) {}

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_BYTES_IN_PLACE_H_
