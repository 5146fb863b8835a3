// SPDX-License-Identifier: Apache-2.0
//
// Many threads in the driver at once. Each is a Hand: it draws rounds from its own seed, and a
// round makes what it needs, uses it, says what must be answered and gives it back, so that after
// any number of rounds nothing is left. Some rounds also use what all hands share, in the ways in
// which the driver API lets threads share it.
#ifndef FAKEDRIVER_HAMMER_HAND_H_
#define FAKEDRIVER_HAMMER_HAND_H_

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver::hammer {

// What all hands use at the same time. Nobody writes its memory, which another stream might read.
struct Shared {
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;  // recorded by everybody, again and again
  CUmodule module = nullptr;
  CUfunction add_one = nullptr;
  CUdeviceptr memory = 0;
  CUmemoryPool pool = nullptr;
  CUgraph graph = nullptr;  // of one host function, which counts
  std::atomic<uint64_t> host_calls{0};
  std::atomic<CUevent> handed_over{nullptr};  // made by one hand, destroyed by the next
};

struct Hand {
  const testing::Entries& cu;
  Shared& shared;
  std::mt19937 random;

  unsigned Below(unsigned limit) { return random() % limit; }
};

using Round = void (*)(Hand&);
struct NamedRound {
  const char* name;
  Round run;
};

std::vector<NamedRound> ContextRounds();
std::vector<NamedRound> StreamRounds();
std::vector<NamedRound> GraphRounds();
std::vector<NamedRound> CodeRounds();
std::vector<NamedRound> MemoryRounds();
std::vector<NamedRound> MappingRounds();

// The calling thread expects success, or the result named.
inline void Ok(CUresult result, CUresult expected = CUDA_SUCCESS,
               const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (result != expected) {
    ADD_FAILURE_AT(file, line) << "answered " << result << " instead of " << expected;
  }
}

// add_one(data, count) adds one to each of `count` words.
extern const std::string kAddOne;

// A stream of the hand's own; destroyed with all its work done.
class OwnStream {
 public:
  explicit OwnStream(Hand& hand) : hand_(hand) {
    Ok(hand.cu.cuStreamCreate(&stream_, hand.Below(2)));
  }
  ~OwnStream() {
    Ok(hand_.cu.cuStreamSynchronize(stream_));
    Ok(hand_.cu.cuStreamDestroy_v2(stream_));
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  operator CUstream() const { return stream_; }

 private:
  Hand& hand_;
  CUstream stream_ = nullptr;
};

// Words of device memory, all of the same value: copied there, because a memset would not be waited
// for and a stream that does not block would not be ordered after it.
class OwnWords {
 public:
  OwnWords(Hand& hand, unsigned count, unsigned value) : hand_(hand), count_(count) {
    Ok(hand.cu.cuMemAlloc_v2(&address_, size_t{count} * sizeof(unsigned)));
    const std::vector<unsigned> words(count, value);
    Ok(hand.cu.cuMemcpyHtoD_v2(address_, words.data(), words.size() * sizeof(unsigned)));
  }
  ~OwnWords() { Ok(hand_.cu.cuMemFree_v2(address_)); }
  OwnWords(const OwnWords&) = delete;
  OwnWords& operator=(const OwnWords&) = delete;
  operator CUdeviceptr() const { return address_; }

  void Are(unsigned value) const {
    std::vector<unsigned> words(count_, ~value);
    Ok(hand_.cu.cuMemcpyDtoH_v2(words.data(), address_, words.size() * sizeof(unsigned)));
    EXPECT_EQ(words, std::vector<unsigned>(count_, value));
  }

 private:
  Hand& hand_;
  unsigned count_;
  CUdeviceptr address_ = 0;
};

}  // namespace culprit::fakedriver::hammer

#endif  // FAKEDRIVER_HAMMER_HAND_H_
