// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/model/score_model.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace culprit::reference {
namespace {

using Json = nlohmann::json;

// "VMAF_integer_feature_adm2_score" is the score that the extractors call "integer_adm2".
std::string KeyOf(const std::string& feature) {
  std::string key = feature;
  for (const auto& [part, replacement] :
       {std::pair("VMAF_integer_feature_", "integer_"), std::pair("VMAF_feature_", "")}) {
    if (key.starts_with(part)) key.replace(0, std::string(part).size(), replacement);
  }
  constexpr const char* kEnd = "_score";
  if (key.ends_with(kEnd)) key.resize(key.size() - std::string(kEnd).size());
  return key;
}

}  // namespace

class ScoreModelReader {
 public:
  ScoreModelReader(const Json& json, std::string source)
      : model_(json.is_object() && json.contains("model_dict") ? json["model_dict"] : Json()),
        source_(std::move(source)) {}

  ScoreModel Read() {
    if (!model_.is_object()) Fail("model_dict", "is missing");
    RefuseUnknown();
    if (Text("model_type") != "LIBSVMNUSVR") Fail("model_type", "is LIBSVMNUSVR");
    ScoreModel read;
    for (const Json& name : List("feature_names")) {
      if (!name.is_string()) Fail("feature_names", "holds text");
      read.keys_.push_back(KeyOf(name.get<std::string>()));
    }
    ReadLines(&read);
    if (model_.contains("score_clip") && !model_["score_clip"].is_null()) {
      const std::vector<double> limits = Numbers("score_clip", 2);
      read.clip_ = {limits[0], limits[1]};
    }
    try {
      read.regression_ = SupportVectors::Parse(Text("model"), read.keys_.size());
    } catch (const std::runtime_error& error) {
      Fail("model", error.what());
    }
    return read;
  }

 private:
  [[noreturn]] void Fail(const std::string& field, const std::string& rule) const {
    throw std::runtime_error(source_ + ": model_dict." + field + ": " + rule);
  }

  // score_transform is known and, as in VMAF, of no effect unless it is asked for, which is not
  // offered here. Options of features would need other extractors.
  void RefuseUnknown() const {
    constexpr const char* kKnown[] = {"model_type", "norm_type",       "feature_names",
                                      "slopes",     "intercepts",      "score_clip",
                                      "model",      "score_transform", "feature_dict"};
    for (const auto& [field, value] : model_.items()) {
      if (std::find(std::begin(kKnown), std::end(kKnown), field) == std::end(kKnown)) {
        Fail(field, "is not supported");
      }
    }
  }

  std::string Text(const char* field) const {
    if (!model_.contains(field) || !model_[field].is_string()) Fail(field, "is a text");
    return model_[field].get<std::string>();
  }

  const Json& List(const char* field) const {
    if (!model_.contains(field) || !model_[field].is_array() || model_[field].empty()) {
      Fail(field, "is a list that is not empty");
    }
    return model_[field];
  }

  std::vector<double> Numbers(const char* field, size_t count) const {
    std::vector<double> numbers;
    for (const Json& number : List(field)) {
      if (!number.is_number()) Fail(field, "holds numbers");
      numbers.push_back(number.get<double>());
    }
    if (numbers.size() != count) Fail(field, "has " + std::to_string(count) + " numbers");
    return numbers;
  }

  // The first slope and intercept are the score's.
  void ReadLines(ScoreModel* read) const {
    const size_t features = read->keys_.size();
    read->of_features_.resize(features);
    const std::string kind = Text("norm_type");
    if (kind == "none") return;
    if (kind != "linear_rescale") Fail("norm_type", "is linear_rescale or none");
    const std::vector<double> slopes = Numbers("slopes", features + 1);
    const std::vector<double> intercepts = Numbers("intercepts", features + 1);
    if (slopes[0] == 0) Fail("slopes", "begins with one that is not zero");
    read->of_score_ = {slopes[0], intercepts[0]};
    for (size_t i = 0; i < features; ++i) {
      read->of_features_[i] = {slopes[i + 1], intercepts[i + 1]};
    }
  }

  const Json model_;
  const std::string source_;
};

ScoreModel ScoreModel::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  return Parse({std::istreambuf_iterator<char>(file), {}}, path);
}

ScoreModel ScoreModel::Parse(const std::string& json, const std::string& source) {
  try {
    return ScoreModelReader(Json::parse(json), source).Read();
  } catch (const Json::exception& error) {
    throw std::runtime_error(source + ": " + error.what());
  }
}

double ScoreModel::Predict(std::span<const double> features) const {
  std::vector<double> point;
  for (size_t i = 0; i < features.size(); ++i) {
    point.push_back(of_features_[i].slope * features[i] + of_features_[i].intercept);
  }
  const double score = (regression_.Predict(point) - of_score_.intercept) / of_score_.slope;
  return clip_ ? std::clamp(score, (*clip_)[0], (*clip_)[1]) : score;
}

std::vector<double> ScoreModel::Score(
    const std::map<std::string, std::vector<double>>& scores) const {
  std::vector<const std::vector<double>*> columns;
  for (const std::string& key : keys_) {
    const auto column = scores.find(key);
    if (column == scores.end()) throw std::runtime_error("the model needs the feature " + key);
    columns.push_back(&column->second);
  }
  std::vector<double> fused;
  for (size_t frame = 0; frame < columns.front()->size(); ++frame) {
    std::vector<double> features;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i]->size() <= frame) {
        throw std::runtime_error(keys_[i] + " has no frame " + std::to_string(frame));
      }
      features.push_back((*columns[i])[frame]);
    }
    fused.push_back(Predict(features));
  }
  return fused;
}

}  // namespace culprit::reference
