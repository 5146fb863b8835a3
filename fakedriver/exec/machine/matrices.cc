// SPDX-License-Identifier: Apache-2.0
//
// Moves of 8 x 8 matrices of 16-bit elements between shared memory and a warp's registers, and
// their transposition in registers. Lane l holds elements 2 * (l % 4) and the one after it of row
// l / 4, the first in the lower half; with .trans rows and columns change places. Nothing here
// computes: compilers use these instructions to rearrange data as well.
#include <array>
#include <cstring>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/warp_sync.h"

namespace culprit::exec::machine {
namespace {

constexpr uint32_t kSide = 8;
constexpr uint32_t kRowBytes = kSide * 2;
constexpr uint32_t kMostMatrices = 4;

using Matrix = std::array<std::array<uint16_t, kSide>, kSide>;
static_assert(sizeof(Matrix) == kSide * kRowBytes);

// Row r of matrix m is where lane 8 * m + r says.
using Matrices = std::array<Matrix, kMostMatrices>;

template <bool kTransposed>
uint16_t& Element(Matrix& matrix, uint32_t lane, uint32_t half) {
  const uint32_t row = lane / 4;
  const uint32_t column = lane % 4 * 2 + half;
  return kTransposed ? matrix[column][row] : matrix[row][column];
}

template <bool kTransposed>
void ToRegister(const Warp& w, Matrix& matrix, Place place) {
  uint32_t* d = LanesAt<uint32_t>(w, place);
  ForEachLane(w.mask, [&](uint32_t lane) {
    d[lane] = Element<kTransposed>(matrix, lane, 0) |
              static_cast<uint32_t>(Element<kTransposed>(matrix, lane, 1)) << 16;
  });
}

template <bool kTransposed>
void FromRegister(const Warp& w, Place place, Matrix& matrix) {
  const uint32_t* a = LanesAt<uint32_t>(w, place);
  ForEachLane(w.mask, [&](uint32_t lane) {
    Element<kTransposed>(matrix, lane, 0) = static_cast<uint16_t>(a[lane]);
    Element<kTransposed>(matrix, lane, 1) = static_cast<uint16_t>(a[lane] >> 16);
  });
}

// The registers are those of the side table, the addresses a plus the immediate, c the state space.
template <bool kStore, bool kTransposed>
const Instruction* Move(Warp& w, const Instruction* i) {
  const VectorInfo& registers = w.frame->code->vectors[i->extra];
  WarpGroup group(w, i, UINT32_MAX);
  if (!group.complete()) return group.Wait();
  const uint64_t* base = LanesAt<uint64_t>(w, i->a);
  std::array<uint64_t, kLanes> addresses{};
  ForEachLane(w.mask, [&](uint32_t lane) {
    addresses[lane] = base[lane] + static_cast<uint64_t>(i->immediate);
  });
  Matrices matrices{};
  auto* data = reinterpret_cast<std::byte*>(matrices.data());
  if constexpr (kStore) {
    for (uint32_t m = 0; m < registers.count; ++m) {
      FromRegister<kTransposed>(w, registers.places[m], matrices[m]);
    }
  }
  // The other lanes' addresses need not be valid.
  const uint32_t all = w.mask;
  const uint32_t rows = registers.count * kSide;
  SetMask(w, rows == kLanes ? all : all & ((1u << rows) - 1));
  const Access access{.at = i,
                      .space = static_cast<StateSpace>(i->c),
                      .kind = kStore ? AccessKind::kStore : AccessKind::kLoad,
                      .bytes = kRowBytes,
                      .align = kRowBytes};
  const bool ok = kStore ? StoreLanes(w, access, addresses.data(), data, kRowBytes)
                         : LoadLanes(w, access, addresses.data(), data, kRowBytes);
  if (!ok) return nullptr;
  SetMask(w, all);
  if constexpr (!kStore) {
    for (uint32_t m = 0; m < registers.count; ++m) {
      ToRegister<kTransposed>(w, matrices[m], registers.places[m]);
    }
  }
  return group.Done();
}

const Instruction* Transpose(Warp& w, const Instruction* i) {
  WarpGroup group(w, i, UINT32_MAX);
  if (!group.complete()) return group.Wait();
  Matrix matrix{};
  FromRegister<false>(w, i->a, matrix);
  ToRegister<true>(w, matrix, i->d);
  return group.Done();
}

void LowerMove(Lowering& l, bool store) {
  const uint8_t count = l.Has(Modifier::kX4) ? 4 : l.Has(Modifier::kX2) ? 2 : 1;
  if (!l.Has(Modifier::kM8n8)) l.Fail("this form of the instruction is not supported");
  const Operand& operand = l.operand(store ? 1 : 0);
  const bool several = operand.kind == Operand::Kind::kVector;
  if ((several ? operand.count : 1) != count) l.FailArguments();
  const AddressPlaces address = l.Address(store ? 0 : 1);
  VectorInfo registers;
  for (uint8_t m = 0; m < count; ++m) {
    const Operand& one = several ? l.member(operand, m) : operand;
    registers.places[m] = store ? l.Read(one, Type::kB32) : l.Write(one, Type::kB32);
  }
  registers.count = count;
  const bool transposed = l.Has(Modifier::kTrans);
  const uint32_t info = l.AddVector(registers);
  Instruction& i = l.Emit(store ? (transposed ? Move<true, true> : Move<true, false>)
                                : (transposed ? Move<false, true> : Move<false, false>));
  i.a = address.base;
  i.immediate = address.offset;
  i.c = static_cast<uint32_t>(address.space);
  i.extra = info;
}

}  // namespace

void LowerLdmatrix(Lowering& l) { LowerMove(l, false); }
void LowerStmatrix(Lowering& l) { LowerMove(l, true); }

void LowerMovmatrix(Lowering& l) {
  const Place a = l.Read(1, Type::kB32);
  const Place d = l.Write(0, Type::kB32);
  Instruction& i = l.Emit(Transpose);
  i.a = a;
  i.d = d;
}

}  // namespace culprit::exec::machine
