// SPDX-License-Identifier: Apache-2.0
//
// tex, txq, suld and sust. Mipmap levels beyond the first are not modelled: .level and .grad read
// the base level.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/texture_fetch.h"

namespace culprit::exec::machine {
namespace {

enum Flags : int64_t {
  kDimensions = 3,
  kLayered = 4,
  kIntegral = 8,   // coordinates are texel numbers
  kAsFloat = 16,   // results are floats
  kZero = 32,      // surfaces: outside reads as zeros and is not written
  kTrapping = 64,  // surfaces: outside faults
};

const Texture* FindTexture(Warp& w, const Instruction* i, uint32_t lane) {
  uint64_t handle = LanesAt<uint64_t>(w, i->a)[lane];
  TextureTable* table = w.block->launch.environment.textures;
  const Texture* texture = table == nullptr ? nullptr : table->Find(handle);
  if (texture == nullptr) {
    Fault(w, i, FaultKind::kIllegalAddress, lane,
          "No texture or surface has the handle " + std::to_string(handle), handle);
  }
  return texture;
}

// Lanes that share the handle of the first lane look it up once.
class TextureOfLane {
 public:
  TextureOfLane(Warp& w, const Instruction* i) : w_(w), i_(i) {}
  const Texture* operator()(uint32_t lane) {
    uint64_t handle = LanesAt<uint64_t>(w_, i_->a)[lane];
    if (texture_ == nullptr || handle != handle_) {
      texture_ = FindTexture(w_, i_, lane);
      handle_ = handle;
    }
    return texture_;
  }

 private:
  Warp& w_;
  const Instruction* i_;
  uint64_t handle_ = 0;
  const Texture* texture_ = nullptr;
};

const Instruction* Fetch(Warp& w, const Instruction* i) {
  const VectorInfo& results = w.frame->code->vectors[i->extra];
  const VectorInfo& coordinates = w.frame->code->vectors[i->b];
  const uint32_t dimensions = static_cast<uint32_t>(i->immediate & kDimensions);
  const uint32_t first = (i->immediate & kLayered) != 0 ? 1 : 0;
  TextureOfLane texture_of(w, i);
  std::array<std::array<uint32_t, 4>, kLanes> values;
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    const Texture* texture = ok ? texture_of(lane) : nullptr;
    ok = texture != nullptr;
    if (!ok) return;
    TextureCoordinates at;
    at.integral = (i->immediate & kIntegral) != 0;
    if (first == 1) at.layer = LanesAt<uint32_t>(w, coordinates.places[0])[lane];
    for (uint32_t axis = 0; axis < dimensions; ++axis) {
      uint32_t bits = LanesAt<uint32_t>(w, coordinates.places[first + axis])[lane];
      at.texel[axis] = static_cast<int32_t>(bits);
      at.position[axis] = std::bit_cast<float>(bits);
    }
    values[lane] = FetchTexture(*texture, at, dimensions, (i->immediate & kAsFloat) != 0);
  });
  if (!ok) return nullptr;
  for (uint32_t c = 0; c < results.count; ++c) {
    uint32_t* d = LanesAt<uint32_t>(w, results.places[c]);
    ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = values[lane][c]; });
  }
  return i + 1;
}

// Surfaces count x in bytes. Elements of `c` bytes go to or come from the places of the vector.
template <bool kStore>
const Instruction* Surface(Warp& w, const Instruction* i) {
  const VectorInfo& elements = w.frame->code->vectors[i->extra];
  const VectorInfo& coordinates = w.frame->code->vectors[i->b];
  const uint32_t dimensions = static_cast<uint32_t>(i->immediate & kDimensions);
  const uint32_t first = (i->immediate & kLayered) != 0 ? 1 : 0;
  const uint32_t bytes = i->c;
  TextureOfLane surface_of(w, i);
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    const Texture* surface = ok ? surface_of(lane) : nullptr;
    ok = surface != nullptr;
    if (!ok) return;
    auto coordinate = [&](uint32_t n) {
      return int64_t{LanesAt<int32_t>(w, coordinates.places[n])[lane]};
    };
    int64_t x = coordinate(first);
    int64_t y = dimensions > 1 ? coordinate(first + 1) : 0;
    int64_t z = dimensions > 2 ? coordinate(first + 2) : first == 1 ? coordinate(0) : 0;
    const int64_t row_bytes = int64_t{surface->width} * surface->bits / 8 * surface->channels;
    std::byte* row = TexelAddress(*surface, 0, y, z);
    bool inside = row != nullptr && x >= 0 && x + bytes * elements.count <= row_bytes;
    if (!inside && (i->immediate & kTrapping) != 0) {
      Fault(w, i, FaultKind::kIllegalAddress, lane, "Surface access outside the surface",
            static_cast<uint64_t>(x), bytes * elements.count, kStore);
      ok = false;
      return;
    }
    if (!inside && (i->immediate & kZero) == 0) {
      // .clamp: the nearest bytes inside.
      x = std::clamp<int64_t>(x, 0, row_bytes - bytes * elements.count);
      y = std::clamp<int64_t>(y, 0, std::max(1u, surface->height) - 1);
      z = std::clamp<int64_t>(z, 0, std::max(1u, surface->depth) - 1);
      row = TexelAddress(*surface, 0, y, z);
      inside = row != nullptr && x >= 0;
    }
    for (uint32_t n = 0; n < elements.count; ++n) {
      uint64_t value = 0;
      std::byte* at = inside ? row + x + n * bytes : nullptr;
      // Registers are at least 16 bits wide.
      std::byte* slot = At(w, elements.places[n]) + lane * std::max(2u, bytes);
      if (kStore) {
        if (at != nullptr) std::memcpy(at, slot, bytes);
      } else {
        if (at != nullptr) std::memcpy(&value, at, bytes);
        std::memcpy(slot, &value, std::max(2u, bytes));
      }
    }
  });
  return ok ? i + 1 : nullptr;
}

const Instruction* Query(Warp& w, const Instruction* i) {
  TextureOfLane texture_of(w, i);
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    const Texture* texture = ok ? texture_of(lane) : nullptr;
    ok = texture != nullptr;
    if (!ok) return;
    Modifier what = static_cast<Modifier>(i->extra);
    uint32_t value = what == Modifier::kWidth    ? texture->width
                     : what == Modifier::kHeight ? texture->height
                     : what == Modifier::kNormalizedCoords
                         ? (texture->normalized_coordinates ? 1 : 0)
                         : texture->depth;
    LanesAt<uint32_t>(w, i->d)[lane] = value;
  });
  return ok ? i + 1 : nullptr;
}

int64_t Geometry(const Lowering& l) {
  if (l.Has(Modifier::kDim1d)) return 1;
  if (l.Has(Modifier::kDim2d)) return 2;
  if (l.Has(Modifier::kDim3d)) return 3;
  if (l.Has(Modifier::kDimA1d)) return 1 | kLayered;
  if (l.Has(Modifier::kDimA2d)) return 2 | kLayered;
  l.Fail("this geometry is not supported");
}

// The handle: a register, or a variable in whose place the driver put it.
Place Handle(Lowering& l, const Operand& texture) {
  Operand handle;
  handle.kind = texture.base == Operand::Base::kVariable ? Operand::Kind::kVariable
                                                         : Operand::Kind::kRegister;
  if (texture.kind != Operand::Kind::kAddress || texture.base == Operand::Base::kNothing)
    l.FailArguments();
  handle.index = texture.index;
  return l.Read(handle, Type::kU64);
}

VectorInfo Elements(Lowering& l, const Operand& operand, Type type, bool write) {
  VectorInfo info;
  auto add = [&](const Operand& element) {
    info.places[info.count++] = write ? l.Write(element, type) : l.Read(element, type);
  };
  if (operand.kind == Operand::Kind::kVector) {
    if (operand.count > 8) l.FailArguments();
    for (uint32_t n = 0; n < operand.count; ++n) add(l.member(operand, n));
  } else {
    add(operand);
  }
  return info;
}

// [texture, coordinates] or [texture, sampler, coordinates]
void LowerBracket(Lowering& l, const Operand& bracket, int64_t geometry, Instruction* i) {
  if (bracket.kind != Operand::Kind::kBracket || bracket.count < 2 || bracket.count > 3)
    l.FailArguments();
  i->a = Handle(l, l.member(bracket, 0));
  VectorInfo coordinates = Elements(l, l.member(bracket, bracket.count - 1), Type::kB32, false);
  uint32_t needed =
      static_cast<uint32_t>(geometry & kDimensions) + ((geometry & kLayered) != 0 ? 1 : 0);
  if (coordinates.count < needed) l.FailArguments();
  i->b = l.AddVector(coordinates);
}

void Finish(Lowering& l, Handler handler, Instruction i) {
  Instruction& emitted = l.Emit(handler);
  i.handler = handler;
  i.text = emitted.text;
  emitted = i;
}

void LowerSurface(Lowering& l, bool store) {
  Type type = l.text().LastType();
  Instruction i;
  int64_t geometry = Geometry(l);
  LowerBracket(l, l.operand(store ? 0 : 1), geometry, &i);
  Type holder = Bits(type) == 8 ? Type::kB16 : type;
  if (Bits(type) < 8 || Bits(type) > 64) l.FailArguments();
  i.extra = l.AddVector(Elements(l, l.operand(store ? 1 : 0), holder, !store));
  i.c = Bytes(type);
  i.immediate = geometry;
  if (l.Has(Modifier::kZero)) i.immediate |= kZero;
  if (l.Has(Modifier::kTrap)) i.immediate |= kTrapping;
  Finish(l, store ? Surface<true> : Surface<false>, i);
}

}  // namespace

void LowerTex(Lowering& l) {
  Instruction i;
  int64_t geometry = Geometry(l);
  LowerBracket(l, l.operand(1), geometry, &i);
  i.extra = l.AddVector(Elements(l, l.operand(0), Type::kB32, true));
  i.immediate = geometry;
  if (l.type(0) == Type::kF32) i.immediate |= kAsFloat;
  if (l.type(1) == Type::kS32) i.immediate |= kIntegral;
  if (l.type(0) == Type::kF16 || l.type(0) == Type::kF16x2)
    l.Fail("this form of the instruction is not supported");
  Finish(l, Fetch, i);
}

void LowerSuld(Lowering& l) { LowerSurface(l, false); }
void LowerSust(Lowering& l) { LowerSurface(l, true); }

void LowerTxq(Lowering& l) {
  Instruction i;
  const Operand& address = l.operand(1);
  i.a = Handle(l, address);
  i.d = l.Write(0, Type::kB32);
  Modifier what = Modifier::kDepth;
  for (Modifier m : {Modifier::kWidth, Modifier::kHeight, Modifier::kNormalizedCoords}) {
    if (l.Has(m)) what = m;
  }
  i.extra = static_cast<uint32_t>(what);
  Finish(l, Query, i);
}

}  // namespace culprit::exec::machine
