// SPDX-License-Identifier: Apache-2.0
//
// cp.async. Copies are made at once, which is one of the orders that the programming model allows,
// so committing and waiting have nothing left to do.
#include <array>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/mbarriers.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/places.h"

namespace culprit::exec::machine {
namespace {

constexpr size_t kLargestCopy = 16;

// To shared a plus the immediate, from global b plus places[0]; c says how many bytes are read, the
// rest are zeros.
const Instruction* CopyAsync(Warp& w, const Instruction* i) {
  const VectorInfo& more = w.frame->code->vectors[i->extra];
  const uint64_t* target = LanesAt<uint64_t>(w, i->a);
  const uint64_t* source = LanesAt<uint64_t>(w, i->b);
  const uint64_t* source_offset = LanesAt<uint64_t>(w, more.places[0]);
  const uint32_t* read = LanesAt<uint32_t>(w, i->c);
  const uint32_t bytes = more.count;
  std::array<uint64_t, kLanes> addresses;
  std::array<std::byte, kLanes * kLargestCopy> data{};
  const uint32_t mask = w.mask;
  bool ok = true;
  // Lanes that read nothing have a source address that need not be valid.
  ForEachLane(mask, [&](uint32_t lane) {
    if (!ok) return;
    uint32_t wanted = read[lane] < bytes ? read[lane] : bytes;
    for (uint32_t n = 0; n < wanted && ok; ++n) {
      ok = ReadByte(w, i, lane, source[lane] + source_offset[lane] + n,
                    &data[lane * kLargestCopy + n]);
    }
    addresses[lane] = target[lane] + static_cast<uint64_t>(i->immediate);
  });
  if (!ok) return nullptr;
  Access access{.at = i,
                .space = StateSpace::kShared,
                .kind = AccessKind::kStore,
                .bytes = bytes,
                .align = bytes};
  return StoreLanes(w, access, addresses.data(), data.data(), kLargestCopy) ? i + 1 : nullptr;
}

}  // namespace

void LowerCpAsync(Lowering& l) {
  if (l.Has(Modifier::kCommitGroup) || l.Has(Modifier::kWaitGroup) || l.Has(Modifier::kWaitAll))
    return;
  if (l.Has(Modifier::kMbarrier) || l.operand_count() < 3)
    l.Fail("asynchronous barriers are not supported");
  const Operand& size = l.operand(2);
  if (size.kind != Operand::Kind::kInteger ||
      (size.value != 4 && size.value != 8 && size.value != 16))
    l.FailArguments();
  AddressPlaces target = l.Address(0);
  AddressPlaces source = l.Address(1);
  Place read = size.kind == Operand::Kind::kInteger
                   ? l.Literal(static_cast<uint64_t>(size.value), Type::kU32)
                   : 0;
  if (l.operand_count() > 3 && !l.Has(Modifier::kL2CacheHint)) read = l.Read(3, Type::kU32);
  VectorInfo more;
  more.count = static_cast<uint8_t>(size.value);
  more.places[0] = l.Literal(static_cast<uint64_t>(source.offset), Type::kU64);
  uint32_t info = l.AddVector(more);
  Instruction& i = l.Emit(CopyAsync);
  i.a = target.base;
  i.immediate = target.offset;
  i.b = source.base;
  i.c = read;
  i.extra = info;
}

}  // namespace culprit::exec::machine
