// SPDX-License-Identifier: Apache-2.0
//
// Half precision in integer code, correctly rounded. Sums and products are formed in single
// precision, which has enough digits (2p + 2) that rounding twice gives what rounding once would.
#ifndef FAKEDRIVER_EXEC_MACHINE_HALF_H_
#define FAKEDRIVER_EXEC_MACHINE_HALF_H_

#include <cstdint>

namespace culprit::exec {

float HalfToFloat(uint16_t h);
uint16_t FloatToHalf(float f);  // to nearest, ties to even; NaN becomes 0x7fff
uint16_t HalfAdd(uint16_t a, uint16_t b);

float Bf16ToFloat(uint16_t h);
uint16_t FloatToBf16(float f);
uint16_t Bf16Add(uint16_t a, uint16_t b);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_HALF_H_
