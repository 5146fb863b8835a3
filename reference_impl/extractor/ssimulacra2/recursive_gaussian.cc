// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ssimulacra2/recursive_gaussian.h"

#include <array>
#include <cmath>
#include <numbers>

namespace culprit::reference {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows

double Determinant(const Matrix& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// By Cramer's rule.
Vector Solve(const Matrix& matrix, const Vector& right) {
  Vector solution{};
  for (size_t column = 0; column < 3; ++column) {
    Matrix replaced = matrix;
    for (size_t row = 0; row < 3; ++row) replaced[row][column] = right[row];
    solution[column] = Determinant(replaced) / Determinant(matrix);
  }
  return solution;
}

}  // namespace

RecursiveGaussian GaussianOf(double deviation) {
  const double reach = std::round(3.2795 * deviation + 0.2546);
  Vector frequency{};  // of the odd cosines of the window
  Vector p{};
  Vector r{};
  Vector rho{};
  for (size_t k = 0; k < 3; ++k) {
    const double sign = k == 1 ? -1 : 1;
    frequency[k] = static_cast<double>(2 * k + 1) * std::numbers::pi / (2 * reach);
    p[k] = sign / std::tan(frequency[k] / 2);
    r[k] = sign * p[k] * p[k] / std::sin(frequency[k]);
    rho[k] = std::exp(-0.5 * deviation * deviation * frequency[k] * frequency[k]) / reach;
  }
  const double d13 = p[0] * r[1] - r[0] * p[1];
  const double d35 = p[1] * r[2] - r[1] * p[2];
  const double d51 = p[2] * r[0] - r[2] * p[0];
  const double zeta15 = d35 / d13;
  const double zeta35 = d51 / d13;
  // Sum 1, the Gaussian's variance, and the least error in between.
  const Vector beta = Solve(
      {p, r, {zeta15, zeta35, 1.0}},
      {1.0, reach * reach - deviation * deviation, zeta15 * rho[0] + zeta35 * rho[1] + rho[2]});
  RecursiveGaussian gaussian{};
  gaussian.reach = static_cast<int>(reach);
  for (size_t k = 0; k < 3; ++k) {
    gaussian.input[k] = static_cast<float>(-beta[k] * std::cos(frequency[k] * (reach + 1)));
    gaussian.feedback[k] = static_cast<float>(-2 * std::cos(frequency[k]));
  }
  return gaussian;
}

}  // namespace culprit::reference
