// SPDX-License-Identifier: Apache-2.0
//
// A support-vector regression with a radial basis function, read from the text in which LIBSVM
// keeps it. Independent of what its inputs mean.
#ifndef CULPRIT_REFERENCE_IMPL_MODEL_SUPPORT_VECTORS_H_
#define CULPRIT_REFERENCE_IMPL_MODEL_SUPPORT_VECTORS_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace culprit::reference {

class SupportVectors {
 public:
  // `inputs` is how many numbers a vector has. Throws std::runtime_error that names the line of the
  // text and what is wrong with it.
  static SupportVectors Parse(const std::string& text, size_t inputs);

  // `point` has as many numbers as a vector.
  double Predict(std::span<const double> point) const;

 private:
  struct Vector {
    double weight = 0;
    std::vector<double> point;
  };

  double gamma_ = 0;
  double rho_ = 0;
  std::vector<Vector> vectors_;

  friend class SupportVectorReader;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_MODEL_SUPPORT_VECTORS_H_
