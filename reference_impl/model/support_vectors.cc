// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/model/support_vectors.h"

#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

namespace culprit::reference {

// A header of `key value` lines up to `SV`, then a line a vector: its weight and `index:number` for
// each number that is not zero, from 1.
class SupportVectorReader {
 public:
  SupportVectorReader(const std::string& text, size_t inputs) : text_(text), inputs_(inputs) {}

  SupportVectors Read() {
    ReadHeader();
    while (NextLine()) {
      if (!line_.empty()) ReadVector();
    }
    if (model_.vectors_.size() != announced_) {
      Fail("total_sv announces " + std::to_string(announced_) + " vectors, and there are " +
           std::to_string(model_.vectors_.size()));
    }
    return std::move(model_);
  }

 private:
  [[noreturn]] void Fail(const std::string& rule) const {
    throw std::runtime_error("line " + std::to_string(number_) + ": " + rule);
  }

  bool NextLine() {
    if (!std::getline(text_, line_)) return false;
    ++number_;
    return true;
  }

  double Number(const std::string& text) const {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) {
      Fail("\"" + text + "\" is not a number");
    }
    return value;
  }

  void ReadHeader() {
    std::set<std::string> seen;
    while (NextLine() && line_ != "SV") {
      const size_t space = line_.find(' ');
      const std::string key = line_.substr(0, space);
      const std::string value = space == std::string::npos ? "" : line_.substr(space + 1);
      if (!seen.insert(key).second) Fail(key + " is there twice");
      ReadSetting(key, value);
    }
    if (line_ != "SV") Fail("the vectors are missing: there is no line SV");
    for (const char* key : {"svm_type", "kernel_type", "gamma", "rho", "total_sv"}) {
      if (!seen.contains(key)) Fail(std::string(key) + " is missing");
    }
  }

  void ReadSetting(const std::string& key, const std::string& value) {
    if (key == "svm_type") {
      if (value != "nu_svr" && value != "epsilon_svr") Fail("svm_type is nu_svr or epsilon_svr");
    } else if (key == "kernel_type") {
      if (value != "rbf") Fail("kernel_type is rbf");
    } else if (key == "gamma") {
      model_.gamma_ = Number(value);
    } else if (key == "rho") {
      model_.rho_ = Number(value);
    } else if (key == "total_sv") {
      const double count = Number(value);
      if (count < 1 || count != std::floor(count)) Fail("total_sv is a number of vectors");
      announced_ = static_cast<size_t>(count);
    } else if (key != "nr_class") {
      Fail("there is no setting " + key);
    }
  }

  void ReadVector() {
    std::istringstream words(line_);
    std::string word;
    words >> word;
    SupportVectors::Vector vector;
    vector.weight = Number(word);
    vector.point.resize(inputs_);
    size_t last = 0;
    while (words >> word) {
      const size_t colon = word.find(':');
      if (colon == std::string::npos) Fail("\"" + word + "\" is not index:number");
      const double index = Number(word.substr(0, colon));
      if (index <= static_cast<double>(last) || index > static_cast<double>(inputs_) ||
          index != std::floor(index)) {
        Fail("indices rise from 1 to " + std::to_string(inputs_));
      }
      last = static_cast<size_t>(index);
      vector.point[last - 1] = Number(word.substr(colon + 1));
    }
    model_.vectors_.push_back(std::move(vector));
  }

  std::istringstream text_;
  size_t inputs_;
  std::string line_;
  size_t number_ = 0;
  size_t announced_ = 0;
  SupportVectors model_;
};

SupportVectors SupportVectors::Parse(const std::string& text, size_t inputs) {
  return SupportVectorReader(text, inputs).Read();
}

double SupportVectors::Predict(std::span<const double> point) const {
  double sum = -rho_;
  for (const Vector& vector : vectors_) {
    double distance = 0;
    for (size_t i = 0; i < point.size(); ++i) {
      const double along = point[i] - vector.point[i];
      distance += along * along;
    }
    sum += vector.weight * std::exp(-gamma_ * distance);
  }
  return sum;
}

}  // namespace culprit::reference
