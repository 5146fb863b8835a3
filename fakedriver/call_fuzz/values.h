// SPDX-License-Identifier: Apache-2.0
//
// What the arguments of a sequence are drawn from: every handle and address that its calls gave
// out, those that are gone by now among them, nulls, values that were never given out, and host
// memory that is large enough for whatever a driver may read or write there.
#ifndef FAKEDRIVER_CALL_FUZZ_VALUES_H_
#define FAKEDRIVER_CALL_FUZZ_VALUES_H_

#include <cstdint>
#include <map>
#include <typeindex>
#include <vector>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/call_fuzz/choices.h"

namespace culprit::fakedriver::call_fuzz {

// The type by which addresses that the host can reach are remembered: pinned and managed memory.
struct HostAddress;

// How the numbers of an entry may be drawn.
enum class Numbers : uint8_t {
  kSmall,  // some pointer of the entry goes to an array or to bytes, of which they may be the count
  kWild,
};

class Values {
 public:
  static constexpr size_t kBlockBytes = 16384;
  static constexpr size_t kBlocks = 16;
  static constexpr size_t kMostElements = 64;  // that a small number counts

  explicit Values(Choices& choices) : choices_(choices) {}

  Choices& choices() { return choices_; }
  Numbers numbers = Numbers::kSmall;
  bool may_wait_for_values = false;

  uint64_t Small();
  uint64_t Number();
  // A handle that was given out as a `type`; now and then null, one of another type or none at all.
  uint64_t Handle(std::type_index type);
  // Of device memory, or some other 64-bit value that was given out.
  uint64_t Address();
  // Where a driver takes what is no device memory for the program's own, and goes there: device
  // memory, be it gone, or HostBytes.
  uint64_t UnifiedAddress();
  // For what a driver would wait for: no address at all.
  uint64_t NoAddress();
  const char* Name();
  const void* Image();
  // Bytes that stay where they are: what is queued may come back to them.
  unsigned char* HostBytes();
  // Zeroed before each use; for argument `slot` of one call, or what that points to.
  unsigned char* Block(size_t slot);
  // For the extent of a copy that has host memory on one side.
  size_t ShortSide() { return choices_.Below(48); }

  void Remember(std::type_index type, uint64_t value);
  const std::vector<uint64_t>& Remembered(std::type_index type) { return given_[type]; }

 private:
  Choices& choices_;
  std::map<std::type_index, std::vector<uint64_t>> given_;
  std::vector<uint64_t> all_;
};

}  // namespace culprit::fakedriver::call_fuzz

#endif  // FAKEDRIVER_CALL_FUZZ_VALUES_H_
