// SPDX-License-Identifier: Apache-2.0
//
// Data races in global memory between the blocks of one launch. Blocks have no order, so bytes that
// one of them writes and another one reads or writes depend on timing, unless both change them
// atomically or nothing depends on it: writes of the value that is there are no race.
//
// Not for kernels whose blocks may order themselves (KernelCode::orders_blocks): what a protocol of
// fences and atomics comes to is not followed. One thread runs a launch that is looked at.
#ifndef FAKEDRIVER_EXEC_MACHINE_BLOCK_RACES_H_
#define FAKEDRIVER_EXEC_MACHINE_BLOCK_RACES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "fakedriver/exec/machine/memory.h"

namespace culprit::exec {

class BlockRaces {
 public:
  // Before the bytes of an access change: `now` are those in memory, `next` what a store will put
  // there. Reports what it races with.
  void NoteLoad(Warp& w, const Access& access, uint32_t bytes);
  void NoteStore(Warp& w, const Access& access, const std::byte* now, const std::byte* next,
                 uint32_t bytes);
  void NoteAtomic(Warp& w, const Access& access, uint32_t bytes);

 private:
  struct Use {
    uint32_t block = 0;  // number and 1; 0: never
    uint32_t site = 0;
    uint16_t thread = 0;
    bool atomic = false;
    bool changed = false;  // of stores: another value than before
  };
  struct Byte {
    Use store;  // the last one
    Use load;   // the first one, by a block that has not written since
  };
  static constexpr uint64_t kPage = 1024;
  struct Page {
    Byte bytes[kPage];
  };
  struct Site {
    const Instruction* at;
    const FunctionCode* code;
  };

  Byte& At(uint64_t address);
  Use UseBy(const Warp& w, const Access& access);
  void Report(Warp& w, const Access& access, const Use& other) const;

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t newest_number_ = ~uint64_t{0};
  Page* newest_ = nullptr;
  std::vector<Site> sites_;
  std::unordered_map<const Instruction*, uint32_t> site_of_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_BLOCK_RACES_H_
