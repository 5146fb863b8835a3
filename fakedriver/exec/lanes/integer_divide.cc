// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of integers.
#include "fakedriver/exec/lanes/integer_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// The results of division by zero are not specified; devices give all ones and the dividend.
template <typename T>
struct DivOp : Op<T> {
  static T Do(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if (kIsSigned<T> && b == static_cast<T>(-1)) return static_cast<T>(Wrap<T>(0) - Wrap<T>(a));
    return static_cast<T>(a / b);
  }
};

template <typename T>
struct RemOp : Op<T> {
  static T Do(T a, T b) {
    // Measured: all ones, as for the quotient.
    if (b == 0) return static_cast<T>(-1);
    if (kIsSigned<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};

}  // namespace

void LowerDiv(Lowering& lo) {
  if (!IsInteger(lo.type())) return LowerFloatDiv(lo);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(BinaryEach, DivOp, lo.type()), lo.type(), lo.type());
}

void LowerRem(Lowering& lo) {
  EmitBinary(lo, CULPRIT_FOR_INTEGER(BinaryEach, RemOp, lo.type()), lo.type(), lo.type());
}

}  // namespace culprit::exec::CULPRIT_LANES
