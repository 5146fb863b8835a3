// SPDX-License-Identifier: Apache-2.0
//
// Instructions in which the lanes of a warp exchange values. A .sync form names the lanes that take
// part; lanes that come early wait for the others, and then act together.
#include <algorithm>
#include <bit>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/lowering_functions.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/warp_sync.h"

namespace culprit::exec::machine {
namespace {

enum ShuffleMode : int64_t { kUp, kDown, kButterfly, kIndex };
enum VoteMode : int64_t { kAll, kAny, kUniform, kBallot };

const VectorInfo& More(const Warp& w, const Instruction* i) {
  return w.frame->code->vectors[i->extra];
}

// d = a of another lane, chosen by b and c; predicate places[1] says whether that lane is in range.
template <ShuffleMode kMode>
const Instruction* Shuffle(Warp& w, const Instruction* i) {
  const VectorInfo& more = More(w, i);
  WarpGroup group(w, i, LanesAt<uint32_t>(w, more.places[0])[FirstLane(w.mask)]);
  if (!group.complete()) return group.Wait();
  const uint32_t* a = LanesAt<uint32_t>(w, i->a);
  const uint32_t* b = LanesAt<uint32_t>(w, i->b);
  const uint32_t* c = LanesAt<uint32_t>(w, i->c);
  uint32_t values[kLanes];
  uint32_t in_range = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t shift = b[lane] & 31;
    uint32_t clamp = c[lane] & 31;
    uint32_t segment = c[lane] >> 8 & 31;
    uint32_t last = (lane & segment) | (clamp & ~segment);
    uint32_t from = 0;
    bool inside = false;
    if constexpr (kMode == kUp) {
      from = lane - shift;
      inside = static_cast<int32_t>(from) >= static_cast<int32_t>(last);
    } else {
      if constexpr (kMode == kDown) from = lane + shift;
      if constexpr (kMode == kButterfly) from = lane ^ shift;
      if constexpr (kMode == kIndex) from = (lane & segment) | (shift & ~segment);
      inside = from <= last;
    }
    values[lane] = a[inside ? from & 31 : lane];
    in_range |= (inside ? 1u : 0u) << lane;
  }
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  if (w.full) {
    std::copy_n(values, kLanes, d);
  } else {
    ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = values[lane]; });
  }
  if (more.count > 1) SetPredicate(w, more.places[1], in_range);
  return group.Done();
}

template <VoteMode kMode>
const Instruction* Vote(Warp& w, const Instruction* i) {
  const VectorInfo& more = More(w, i);
  uint32_t members = LanesAt<uint32_t>(w, more.places[0])[FirstLane(w.mask)];
  WarpGroup group(w, i, members);
  if (!group.complete()) return group.Wait();
  uint32_t p = (i->immediate != 0 ? ~PredicateAt(w, i->a) : PredicateAt(w, i->a)) & w.mask;
  if (kMode == kBallot) {
    uint32_t ballot = members == 0 ? p : p & members;
    uint32_t* d = LanesAt<uint32_t>(w, i->d);
    ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = ballot; });
  } else {
    bool all = p == w.mask;
    bool result = kMode == kAll ? all : kMode == kAny ? p != 0 : all || p == 0;
    SetPredicate(w, i->d, result ? UINT32_MAX : 0);
  }
  return group.Done();
}

template <typename T, bool kAllForm>
const Instruction* MatchValues(Warp& w, const Instruction* i) {
  const VectorInfo& more = More(w, i);
  WarpGroup group(w, i, LanesAt<uint32_t>(w, more.places[0])[FirstLane(w.mask)]);
  if (!group.complete()) return group.Wait();
  const T* a = LanesAt<T>(w, i->a);
  uint32_t result[kLanes] = {};
  bool same = true;
  T first = a[FirstLane(w.mask)];
  ForEachLane(w.mask, [&](uint32_t lane) {
    same &= a[lane] == first;
    ForEachLane(w.mask,
                [&](uint32_t other) { result[lane] |= (a[other] == a[lane] ? 1u : 0u) << other; });
  });
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  ForEachLane(w.mask,
              [&](uint32_t lane) { d[lane] = kAllForm ? (same ? w.mask : 0) : result[lane]; });
  if (more.count > 1) SetPredicate(w, more.places[1], same ? UINT32_MAX : 0);
  return group.Done();
}

struct Sum {
  template <typename T>
  static T Do(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Least {
  template <typename T>
  static T Do(T a, T b) {
    return std::min(a, b);
  }
};
struct Greatest {
  template <typename T>
  static T Do(T a, T b) {
    return std::max(a, b);
  }
};
struct AllBits {
  template <typename T>
  static T Do(T a, T b) {
    return a & b;
  }
};
struct AnyBits {
  template <typename T>
  static T Do(T a, T b) {
    return a | b;
  }
};
struct OddBits {
  template <typename T>
  static T Do(T a, T b) {
    return a ^ b;
  }
};

template <typename T, typename Op>
const Instruction* Reduce(Warp& w, const Instruction* i) {
  WarpGroup group(w, i, LanesAt<uint32_t>(w, More(w, i).places[0])[FirstLane(w.mask)]);
  if (!group.complete()) return group.Wait();
  const T* a = LanesAt<T>(w, i->a);
  uint32_t rest = w.mask & (w.mask - 1);
  T result = a[FirstLane(w.mask)];
  ForEachLane(rest, [&](uint32_t lane) { result = Op::Do(result, a[lane]); });
  T* d = LanesAt<T>(w, i->d);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = result; });
  return group.Done();
}

const Instruction* ReadActiveMask(Warp& w, const Instruction* i) {
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = w.mask; });
  return i + 1;
}

// d = the lowest of the named lanes, and the predicate is true there alone.
const Instruction* ElectLane(Warp& w, const Instruction* i) {
  const VectorInfo& more = More(w, i);
  uint32_t members = LanesAt<uint32_t>(w, more.places[0])[FirstLane(w.mask)];
  WarpGroup group(w, i, members);
  if (!group.complete()) return group.Wait();
  uint32_t leader = FirstLane(w.mask & members ? w.mask & members : w.mask);
  uint32_t* d = LanesAt<uint32_t>(w, i->d);
  ForEachLane(w.mask, [&](uint32_t lane) { d[lane] = leader; });
  if (more.count > 1) SetPredicate(w, more.places[1], 1u << leader);
  return group.Done();
}

// Destination operand d or d|p; members is the lane mask.
void Finish(Lowering& l, Instruction values, Handler handler, Place members, Type type,
            bool predicate) {
  const Operand& destination = l.operand(0);
  VectorInfo more;
  more.count = 1;
  more.places[0] = members;
  if (predicate) {
    values.d = l.Write(0, Type::kPred);
  } else if (destination.kind == Operand::Kind::kPair) {
    values.d = l.Write(l.member(destination, 0), type);
    more.places[more.count++] = l.Write(l.member(destination, 1), Type::kPred);
  } else {
    values.d = l.Write(0, type);
  }
  uint32_t info = l.AddVector(more);
  Instruction& i = l.Emit(handler);
  values.handler = handler;
  values.text = i.text;
  values.extra = info;
  i = values;
}

template <typename T>
Handler ReduceHandler(const Lowering& l) {
  if (l.Has(Modifier::kAdd)) return Reduce<T, Sum>;
  if (l.Has(Modifier::kMin)) return Reduce<T, Least>;
  if (l.Has(Modifier::kMax)) return Reduce<T, Greatest>;
  if (l.Has(Modifier::kAnd)) return Reduce<T, AllBits>;
  if (l.Has(Modifier::kOr)) return Reduce<T, AnyBits>;
  if (l.Has(Modifier::kXor)) return Reduce<T, OddBits>;
  return nullptr;
}

}  // namespace

// Without .sync (removed from PTX for sm_70 and later) the lanes that are there take part.
void LowerShfl(Lowering& l) {
  Instruction i;
  i.a = l.Read(1, Type::kB32);
  i.b = l.Read(2, Type::kB32);
  i.c = l.Read(3, Type::kB32);
  Place members = l.Has(Modifier::kSync) ? l.Read(4, Type::kB32) : l.Literal(0, Type::kB32);
  Handler handler = l.Has(Modifier::kUp)     ? Shuffle<kUp>
                    : l.Has(Modifier::kDown) ? Shuffle<kDown>
                    : l.Has(Modifier::kBfly) ? Shuffle<kButterfly>
                                             : Shuffle<kIndex>;
  Finish(l, i, handler, members, Type::kB32, false);
}

void LowerVote(Lowering& l) {
  Instruction i;
  bool negated = false;
  i.a = l.ReadPredicate(l.operand(1), &negated);
  i.immediate = negated ? 1 : 0;
  bool ballot = l.Has(Modifier::kBallot);
  Place members = l.Has(Modifier::kSync) ? l.Read(2, Type::kB32) : l.Literal(0, Type::kB32);
  Handler handler = l.Has(Modifier::kAll)   ? Vote<kAll>
                    : l.Has(Modifier::kAny) ? Vote<kAny>
                    : l.Has(Modifier::kUni) ? Vote<kUniform>
                                            : Vote<kBallot>;
  Finish(l, i, handler, members, Type::kB32, !ballot);
}

void LowerMatch(Lowering& l) {
  Instruction i;
  bool wide = Bits(l.type()) == 64;
  i.a = l.Read(1, l.type());
  Handler handler = l.Has(Modifier::kAll)
                        ? (wide ? MatchValues<uint64_t, true> : MatchValues<uint32_t, true>)
                        : (wide ? MatchValues<uint64_t, false> : MatchValues<uint32_t, false>);
  Finish(l, i, handler, l.Read(2, Type::kB32), Type::kB32, false);
}

void LowerRedux(Lowering& l) {
  Instruction i;
  i.a = l.Read(1, l.type());
  Handler handler = l.type() == Type::kS32 ? ReduceHandler<int32_t>(l) : ReduceHandler<uint32_t>(l);
  if (handler == nullptr || l.type() == Type::kF32) l.Fail("this form of redux is not supported");
  Finish(l, i, handler, l.Read(2, Type::kB32), l.type(), false);
}

void LowerActivemask(Lowering& l) {
  Place d = l.Write(0, Type::kB32);
  l.Emit(ReadActiveMask).d = d;
}

void LowerElect(Lowering& l) {
  Finish(l, Instruction{}, ElectLane, l.Read(1, Type::kB32), Type::kB32, false);
}

}  // namespace culprit::exec::machine
