// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/model/score_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace culprit::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTinyModel = CULPRIT_MODEL_TESTDATA "/tiny_model.json";

std::string TinyModelWith(const std::string& part, const std::string& replacement) {
  std::ifstream file(kTinyModel);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t at = text.find(part);
  if (at == std::string::npos) throw std::logic_error(part);
  return text.replace(at, part.size(), replacement);
}

std::string ErrorOf(const std::string& json) {
  try {
    ScoreModel::Parse(json, "tiny");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ScoreModelTest, NamesItsFeaturesAsTheExtractorsDo) {
  EXPECT_THAT(ScoreModel::Read(kTinyModel).keys(), ElementsAre("integer_adm2", "integer_motion2"));
}

TEST(ScoreModelTest, PredictsWhatTheFormulaSays) {
  // Rescaled (0.5, 1): on the first vector, and at a squared distance of 1.25 from (0, 2).
  const double features[] = {1.0, 10.0};
  const double regression = 0.5 - 0.25 * std::exp(-0.5 * 1.25) + 0.25;
  EXPECT_NEAR(ScoreModel::Read(kTinyModel).Predict(features), regression / 0.01, 1e-12);
}

TEST(ScoreModelTest, ClipsTheScore) {
  const ScoreModel model = ScoreModel::Parse(TinyModelWith("[0.0, 100.0]", "[30.0, 60.0]"), "tiny");
  const double high[] = {1.0, 10.0};
  const double low[] = {100.0, 10.0};
  EXPECT_EQ(model.Predict(high), 60.0);
  EXPECT_EQ(model.Predict(low), 30.0);
  const ScoreModel open = ScoreModel::Parse(TinyModelWith("[0.0, 100.0]", "null"), "tiny");
  EXPECT_NEAR(open.Predict(low), 25.0, 1e-9);
}

TEST(ScoreModelTest, ScoresEveryFrame) {
  const ScoreModel model = ScoreModel::Read(kTinyModel);
  const auto scores =
      model.Score({{"integer_adm2", {1.0, 100.0}}, {"integer_motion2", {10.0, 10.0}}});
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_NEAR(scores[1], 25.0, 1e-9);
  EXPECT_THROW(model.Score({{"integer_adm2", {1.0}}}), std::runtime_error);
}

TEST(ScoreModelTest, AnErrorNamesTheFieldTheLineAndTheRule) {
  EXPECT_THAT(ErrorOf("{\"slope\": 1e999}"), HasSubstr("tiny: "));
  EXPECT_THAT(ErrorOf(TinyModelWith("LIBSVMNUSVR", "RANDOMFOREST")),
              HasSubstr("tiny: model_dict.model_type: is LIBSVMNUSVR"));
  EXPECT_THAT(ErrorOf(TinyModelWith("[0.01, 1.0, 0.1]", "[0.01, 1.0]")),
              HasSubstr("model_dict.slopes: has 3 numbers"));
  EXPECT_THAT(ErrorOf(TinyModelWith("total_sv 2", "total_sv 3")),
              HasSubstr("model_dict.model: line 9: total_sv announces 3 vectors"));
  EXPECT_THAT(ErrorOf(TinyModelWith("0.5 1:0.5", "0.5 3:0.5")),
              HasSubstr("line 8: indices rise from 1 to 2"));
  EXPECT_THAT(ErrorOf(TinyModelWith("kernel_type rbf", "kernel_type linear")),
              HasSubstr("line 2: kernel_type is rbf"));
  EXPECT_THAT(ErrorOf(TinyModelWith("\"norm_type\"", "\"feature_opts_dicts\": [], \"norm_type\"")),
              HasSubstr("model_dict.feature_opts_dicts: is not supported"));
  EXPECT_THAT(ErrorOf("{"), HasSubstr("tiny: "));
}

}  // namespace
}  // namespace culprit::reference
