// SPDX-License-Identifier: Apache-2.0
//
// Zero bytes that cost memory only where they are written, however many there are: notes about
// device memory, of which a program may allocate more than the host has.
#ifndef FAKEDRIVER_CORE_SPARSE_BYTES_H_
#define FAKEDRIVER_CORE_SPARSE_BYTES_H_

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace culprit::fakedriver {

class SparseBytes {
 public:
  SparseBytes() = default;
  ~SparseBytes() { Free(); }
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;

  // Once. Null when the process has no addresses left.
  uint8_t* Make(uint64_t size) {
    size_ = size;
    if (size < kWorthMapping) {
      data_ = static_cast<uint8_t*>(std::calloc(size, 1));
      return data_;
    }
    void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    data_ = mapped == MAP_FAILED ? nullptr : static_cast<uint8_t*>(mapped);
    return data_;
  }
  uint8_t* get() const { return data_; }

 private:
  static constexpr uint64_t kWorthMapping = uint64_t{1} << 20;

  void Free() {
    if (data_ == nullptr) return;
    if (size_ < kWorthMapping) {
      std::free(data_);
    } else {
      munmap(data_, size_);
    }
  }

  uint8_t* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_SPARSE_BYTES_H_
