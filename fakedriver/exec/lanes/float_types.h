// SPDX-License-Identifier: Apache-2.0
//
// What operations on single and double precision share: their types and the choice among forms.
#ifndef FAKEDRIVER_EXEC_LANES_FLOAT_TYPES_H_
#define FAKEDRIVER_EXEC_LANES_FLOAT_TYPES_H_

#include "fakedriver/exec/lanes/float_bits.h"

namespace culprit::exec::CULPRIT_LANES {

struct F32 {
  using In = float;
  using Third = float;
  using Out = float;
};
struct F64 {
  using In = double;
  using Third = double;
  using Out = double;
};

CULPRIT_INLINE bool IsHalf(Type type) {
  return type == Type::kF16 || type == Type::kF16x2 || type == Type::kBf16 || type == Type::kBf16x2;
}

// The handler of an operation with or without flushing, and saturation.
#define CULPRIT_FTZ_SAT(shape, op, lo)                                             \
  (lo.Has(Modifier::kFtz)                                                          \
       ? (lo.Has(Modifier::kSat) ? shape<op<true, true>> : shape<op<true, false>>) \
       : (lo.Has(Modifier::kSat) ? shape<op<false, true>> : shape<op<false, false>>))
#define CULPRIT_FTZ(shape, op, lo) (lo.Has(Modifier::kFtz) ? shape<op<true>> : shape<op<false>>)

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_FLOAT_TYPES_H_
