// SPDX-License-Identifier: Apache-2.0
//
// What operations on bits share: their types and the choice among widths.
#ifndef FAKEDRIVER_EXEC_LANES_BIT_TYPES_H_
#define FAKEDRIVER_EXEC_LANES_BIT_TYPES_H_

#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {

template <typename T>
struct Op {
  using In = T;
  using Third = T;
  using Out = T;
};
template <typename T>
constexpr uint32_t kBits = 8 * sizeof(T);

// The handler of an operation for 16, 32 or 64 bits.
#define CULPRIT_FOR_BITS(shape, op, type)            \
  (Bits(type) == 16   ? Handler{shape<op<uint16_t>>} \
   : Bits(type) == 32 ? Handler{shape<op<uint32_t>>} \
   : Bits(type) == 64 ? Handler{shape<op<uint64_t>>} \
                      : Handler{nullptr})

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_BIT_TYPES_H_
