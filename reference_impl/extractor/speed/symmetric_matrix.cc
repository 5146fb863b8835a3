// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/symmetric_matrix.h"

#include <cmath>

namespace culprit::reference {
namespace {

using Elements = std::vector<double>;

// Cholesky's factor. That of a matrix which is not positive definite holds NaN.
Elements FactorOf(const Elements& matrix, size_t size) {
  Elements factor(size * size, 0.0);
  for (size_t row = 0; row < size; ++row) {
    for (size_t column = 0; column <= row; ++column) {
      double rest = matrix[row * size + column];
      for (size_t k = 0; k < column; ++k)
        rest -= factor[row * size + k] * factor[column * size + k];
      factor[row * size + column] =
          row == column ? std::sqrt(rest) : rest / factor[column * size + column];
    }
  }
  return factor;
}

// Sums of squares on and off the diagonal.
struct Weight {
  double diagonal = 0;
  double rest = 0;
};

Weight WeightOf(const Elements& matrix, size_t size) {
  Weight weight;
  for (size_t row = 0; row < size; ++row) {
    for (size_t column = 0; column < size; ++column) {
      const double element = matrix[row * size + column];
      (row == column ? weight.diagonal : weight.rest) += element * element;
    }
  }
  return weight;
}

// The rotation that makes the element (p, q) zero, applied from both sides.
void Rotate(Elements& matrix, size_t size, size_t p, size_t q) {
  const double element = matrix[p * size + q];
  if (element == 0) return;
  const double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * element);
  const double tangent = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double cosine = 1 / std::sqrt(tangent * tangent + 1);
  const double sine = tangent * cosine;
  const auto turn = [&](double& at_p, double& at_q) {
    const double old_p = at_p;
    at_p = cosine * old_p - sine * at_q;
    at_q = sine * old_p + cosine * at_q;
  };
  for (size_t k = 0; k < size; ++k) turn(matrix[k * size + p], matrix[k * size + q]);
  for (size_t k = 0; k < size; ++k) turn(matrix[p * size + k], matrix[q * size + k]);
}

}  // namespace

SymmetricMatrix::SymmetricMatrix(std::span<const double> elements, size_t size)
    : size_(size),
      elements_(elements.begin(), elements.end()),
      factor_(FactorOf(elements_, size)) {}

std::vector<double> SymmetricMatrix::Eigenvalues() const {
  constexpr int kMostSweeps = 64;        // six to ten are usual
  constexpr double kNegligible = 1e-28;  // of the squares: 1e-14 of the largest eigenvalue
  Elements matrix = elements_;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const Weight weight = WeightOf(matrix, size_);
    if (weight.rest <= kNegligible * weight.diagonal) break;
    for (size_t p = 0; p + 1 < size_; ++p) {
      for (size_t q = p + 1; q < size_; ++q) Rotate(matrix, size_, p, q);
    }
  }
  std::vector<double> eigenvalues;
  for (size_t i = 0; i < size_; ++i) eigenvalues.push_back(matrix[i * size_ + i]);
  return eigenvalues;
}

std::vector<double> SymmetricMatrix::Solve(std::span<const double> right) const {
  std::vector<double> x(right.begin(), right.end());
  for (size_t row = 0; row < size_; ++row) {
    for (size_t k = 0; k < row; ++k) x[row] -= factor_[row * size_ + k] * x[k];
    x[row] /= factor_[row * size_ + row];
  }
  for (size_t row = size_; row-- > 0;) {
    for (size_t k = row + 1; k < size_; ++k) x[row] -= factor_[k * size_ + row] * x[k];
    x[row] /= factor_[row * size_ + row];
  }
  return x;
}

}  // namespace culprit::reference
