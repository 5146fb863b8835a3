// SPDX-License-Identifier: Apache-2.0
//
// Target regions of OpenMP: a loop over arrays, a reduction, data that stays on the device, nested loops.
#include <omp.h>
#include <stdio.h>

enum { kCount = 1000, kSide = 24 };

static double squares[kCount];
static int table[kSide][kSide];

int main(void) {
  int wrong = 0, on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
#ifndef ON_HOST
  if (on_host) return puts("the region ran on the host"), 1;
#endif

#pragma omp target teams distribute parallel for map(from : squares)
  for (int i = 0; i < kCount; ++i) squares[i] = (double)i * i;
  for (int i = 0; i < kCount; ++i) wrong += squares[i] != (double)i * i;
  if (wrong) return printf("%d squares are wrong\n", wrong), 1;
  puts("a loop over an array");

  double sum = 0;
#pragma omp target teams distribute parallel for map(to : squares) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < kCount; ++i) sum += squares[i];
  if (sum != 999.0 * 1000 * 1999 / 6) return printf("the sum is %f\n", sum), 1;
  puts("a reduction");

#pragma omp target data map(tofrom : table)
  {
#pragma omp target teams distribute parallel for collapse(2)
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) table[row][column] = row * kSide + column;
#pragma omp target teams distribute parallel for collapse(2)
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) table[row][column] *= 2;
  }
  for (int i = 0; i < kSide * kSide; ++i) wrong += table[i / kSide][i % kSide] != 2 * i;
  if (wrong) return printf("%d entries of the table are wrong\n", wrong), 1;
  puts("data that stays on the device");
  return 0;
}
