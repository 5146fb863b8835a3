// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues and linear equations of a small symmetric matrix, in doubles.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SYMMETRIC_MATRIX_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SYMMETRIC_MATRIX_H_

#include <cstddef>
#include <span>
#include <vector>

namespace culprit::reference {

class SymmetricMatrix {
 public:
  // `elements` has size * size of them, row by row.
  SymmetricMatrix(std::span<const double> elements, size_t size);

  // In no particular order. Jacobi's cyclic method.
  std::vector<double> Eigenvalues() const;

  // The solution x of A x = `right`, for a positive definite matrix.
  std::vector<double> Solve(std::span<const double> right) const;

 private:
  size_t size_;
  std::vector<double> elements_;
  std::vector<double> factor_;  // lower triangular; its product with its transpose is the matrix
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SYMMETRIC_MATRIX_H_
