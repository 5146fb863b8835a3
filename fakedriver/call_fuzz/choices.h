// SPDX-License-Identifier: Apache-2.0
//
// An input's bytes as a row of choices: the same bytes, the same choices.
#ifndef FAKEDRIVER_CALL_FUZZ_CHOICES_H_
#define FAKEDRIVER_CALL_FUZZ_CHOICES_H_

#include <cstddef>
#include <cstdint>

namespace culprit::fakedriver::call_fuzz {

class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : next_(data), end_(data + size) {}

  bool over() const { return next_ == end_; }
  uint8_t Byte() { return over() ? 0 : *next_++; }
  unsigned Below(unsigned limit) {
    const unsigned high = limit > 256 ? Byte() * 256u : 0;
    return (high + Byte()) % limit;
  }
  bool OneIn(unsigned n) { return Below(n) == n - 1; }  // not when the bytes are over
  template <typename T, size_t N>
  const T& Pick(const T (&from)[N]) {
    return from[Below(N)];
  }

 private:
  const uint8_t* next_;
  const uint8_t* end_;
};

}  // namespace culprit::fakedriver::call_fuzz

#endif  // FAKEDRIVER_CALL_FUZZ_CHOICES_H_
