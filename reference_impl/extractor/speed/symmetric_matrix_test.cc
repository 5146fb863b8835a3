// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/symmetric_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace culprit::reference {
namespace {

TEST(SymmetricMatrixTest, EigenvaluesOfOneThatIsNotDiagonal) {
  // Eigenvectors (1,1,0), (1,-1,0) and (0,0,1).
  const double elements[] = {2, 1, 0, 1, 2, 0, 0, 0, 7};
  std::vector<double> eigenvalues = SymmetricMatrix(elements, 3).Eigenvalues();
  std::sort(eigenvalues.begin(), eigenvalues.end());
  EXPECT_NEAR(eigenvalues[0], 1, 1e-14);
  EXPECT_NEAR(eigenvalues[1], 3, 1e-14);
  EXPECT_NEAR(eigenvalues[2], 7, 1e-14);
}

TEST(SymmetricMatrixTest, EigenvaluesOfASingularOneAreNextToZero) {
  constexpr size_t kSize = 25;
  std::vector<double> elements;
  for (size_t row = 0; row < kSize; ++row) {
    for (size_t column = 0; column < kSize; ++column) {
      elements.push_back(static_cast<double>((row + 1) * (column + 1)));
    }
  }
  std::vector<double> eigenvalues = SymmetricMatrix(elements, kSize).Eigenvalues();
  std::sort(eigenvalues.begin(), eigenvalues.end());
  EXPECT_NEAR(eigenvalues[kSize - 1], 5525, 1e-9);  // 1 + 4 + 9 + ... + 625
  EXPECT_NEAR(eigenvalues[kSize - 2], 0, 1e-9);
  EXPECT_NEAR(eigenvalues[0], 0, 1e-9);
}

TEST(SymmetricMatrixTest, SolvesTheEquationsItStandsFor) {
  const double elements[] = {4, 2, 0, 2, 5, 3, 0, 3, 6};
  const double right[] = {8, 21, 24};
  const std::vector<double> x = SymmetricMatrix(elements, 3).Solve(right);
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 2, 1e-14);
  EXPECT_NEAR(x[2], 3, 1e-14);
}

}  // namespace
}  // namespace culprit::reference
