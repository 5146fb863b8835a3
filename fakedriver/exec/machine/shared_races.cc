// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/shared_races.h"

namespace culprit::exec {

std::optional<SharedRaces::Use> SharedRaces::Note(const Warp& w, const Access& access,
                                                  uint64_t offset, uint32_t bytes) {
  const bool atomic = access.kind == AccessKind::kAtomic;
  const bool store = access.kind != AccessKind::kLoad;
  const Use now{
      phase_, static_cast<uint16_t>(w.index), static_cast<uint8_t>(access.lane), atomic, access.at,
      w.frame};
  std::optional<Use> race;
  auto conflicts = [&](const Use& earlier) {
    return earlier.phase == phase_ && earlier.warp != now.warp && !(earlier.atomic && atomic);
  };
  for (uint64_t n = offset; n < offset + bytes; ++n) {
    Byte& byte = bytes_[n];
    if (conflicts(byte.store)) {
      race = byte.store;
    } else if (store && conflicts(byte.load)) {
      race = byte.load;
    }
    (store ? byte.store : byte.load) = now;
  }
  return race;
}

}  // namespace culprit::exec
