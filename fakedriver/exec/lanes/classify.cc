// SPDX-License-Identifier: Apache-2.0
//
// The class of a floating-point value (testp).
#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

enum class Class { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

template <Class kClass, typename T, uint32_t kFractionBits, T kExponent>
const Instruction* Testp(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  uint32_t p = 0;
  for (uint32_t l = 0; l < kLanes; ++l) {
    T exponent = a[l] & kExponent;
    bool fraction = (a[l] & ((T{1} << kFractionBits) - 1)) != 0;
    bool special = exponent == kExponent;
    bool result = kClass == Class::kFinite       ? !special
                  : kClass == Class::kInfinite   ? special && !fraction
                  : kClass == Class::kNumber     ? !(special && fraction)
                  : kClass == Class::kNotANumber ? special && fraction
                  : kClass == Class::kNormal     ? !special && (exponent != 0 || !fraction)
                                                 : exponent == 0 && fraction;
    p |= (result ? 1u : 0u) << l;
  }
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (p & w.mask);
  return i + 1;
}

template <Class kClass>
Handler TestpFor(Type type) {
  return type == Type::kF64 ? Testp<kClass, uint64_t, 52, 0x7ff0000000000000>
                            : Testp<kClass, uint32_t, 23, 0x7f800000>;
}

}  // namespace

void LowerTestp(Lowering& lo) {
  Type type = lo.type();
  Handler handler = lo.Has(Modifier::kFinite)       ? TestpFor<Class::kFinite>(type)
                    : lo.Has(Modifier::kInfinite)   ? TestpFor<Class::kInfinite>(type)
                    : lo.Has(Modifier::kNumber)     ? TestpFor<Class::kNumber>(type)
                    : lo.Has(Modifier::kNotanumber) ? TestpFor<Class::kNotANumber>(type)
                    : lo.Has(Modifier::kNormal)     ? TestpFor<Class::kNormal>(type)
                                                    : TestpFor<Class::kSubnormal>(type);
  EmitUnary(lo, handler, Type::kPred, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
