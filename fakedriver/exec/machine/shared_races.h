// SPDX-License-Identifier: Apache-2.0
//
// Data races in shared memory. Time in a block is cut into phases by its barriers. Two accesses of
// one phase to the same byte from different warps, one of them a plain store, have no order. Warps
// are told apart and not threads, because the lanes of a warp may order their accesses by means
// that leave no trace here.
#ifndef FAKEDRIVER_EXEC_MACHINE_SHARED_RACES_H_
#define FAKEDRIVER_EXEC_MACHINE_SHARED_RACES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "fakedriver/exec/machine/memory.h"

namespace culprit::exec {

class SharedRaces {
 public:
  explicit SharedRaces(size_t bytes) : bytes_(bytes) {}

  struct Use {
    uint32_t phase = 0;  // 0: never
    uint16_t warp = 0;
    uint8_t lane = 0;
    bool atomic = false;
    const Instruction* at = nullptr;
    const Frame* frame = nullptr;
  };

  void NextPhase() { ++phase_; }
  bool enabled() const { return !bytes_.empty(); }

  // Notes an access to [offset, offset + bytes); the access it races with, if any.
  std::optional<Use> Note(const Warp& w, const Access& access, uint64_t offset, uint32_t bytes);

 private:
  struct Byte {
    Use store;
    Use load;
  };

  std::vector<Byte> bytes_;
  uint32_t phase_ = 1;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_SHARED_RACES_H_
