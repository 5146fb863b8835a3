// SPDX-License-Identifier: Apache-2.0
//
// The part of runtime_program.cu that is compiled apart.
__device__ int half_of(int value) { return value / 2; }
