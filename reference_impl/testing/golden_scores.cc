// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/testing/golden_scores.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reference_impl/clip/generated_source.h"
#include "reference_impl/framework/session.h"

namespace culprit::reference::testing {
namespace {

GoldenFeature ParseFeature(const std::string& text) {
  GoldenFeature feature;
  const size_t equals = text.find('=');
  feature.name = text.substr(0, equals);
  for (size_t start = equals; start != std::string::npos;) {
    const size_t end = text.find(':', start + 1);
    const std::string option =
        text.substr(start + 1, end == std::string::npos ? end : end - start - 1);
    const size_t separator = option.find('=');
    feature.options[option.substr(0, separator)] = option.substr(separator + 1);
    start = end;
  }
  return feature;
}

void Require(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error().message);
}

ScoreTable ScoresOf(const FeatureCollector& collector, uint32_t frames) {
  ScoreTable scores;
  for (uint32_t i = 0; collector.KeyAt(i) != nullptr; ++i) {
    const std::string key = collector.KeyAt(i);
    for (uint32_t frame = 0; frame < frames; ++frame) {
      double value = 0;
      Require(collector.Get(key, frame, &value));
      scores[key].push_back(value);
    }
  }
  return scores;
}

}  // namespace

std::vector<GoldenFeature> ReadGolden(const std::string& folder, const std::string& clip) {
  const std::string path = folder + "/" + clip + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  std::vector<GoldenFeature> features;
  const auto json = nlohmann::json::parse(file);
  for (const auto& [name, sources] : json.at("results").items()) {
    GoldenFeature feature = ParseFeature(name);
    for (const auto& [key, values] : sources.front().at("frames").items()) {
      for (const auto& value : values) {
        // JSON has no infinity: the data says null.
        feature.scores[key].push_back(value.is_null() ? std::numeric_limits<double>::infinity()
                                                      : value.get<double>());
      }
    }
    const auto pooled_scores = sources.front().value("pooled", nlohmann::json::object());
    for (const auto& [key, pooled] : pooled_scores.items()) {
      feature.pooled[key] = {pooled.at("min"), pooled.at("max"), pooled.at("mean"),
                             pooled.at("harmonic_mean")};
    }
    features.push_back(std::move(feature));
  }
  return features;
}

ScoreTable ScoreClip(const ClipSpec& clip, const std::string& extractor, const Options& options,
                     uint32_t threads, State* state) {
  Session session(clip.geometry, threads);
  Require(session.UseExtractor(extractor, options));
  if (state != nullptr) Require(session.ImportState(*state));
  Status failure;
  GeneratedSource source(clip);
  for (uint32_t frame = 0; frame < clip.frames && failure.ok(); ++frame) {
    FrameView reference;
    FrameView distorted;
    bool end = false;
    Require(source(&reference, &distorted, &end));
    failure = session.Submit(reference, distorted, frame);
  }
  if (failure.ok()) failure = session.Flush();
  ScoreTable scores;
  if (failure.ok()) scores = ScoresOf(session.collector(), clip.frames);
  Require(session.Close());
  Require(failure);
  return scores;
}

Difference Compare(const ScoreTable& expected, const ScoreTable& actual) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [key, values] : actual) {
    if (!expected.contains(key)) return {kInfinity, key + " is not expected"};
  }
  Difference difference;
  for (const auto& [key, values] : expected) {
    const auto found = actual.find(key);
    if (found == actual.end() || found->second.size() != values.size()) {
      return {kInfinity, key + " is missing or incomplete"};
    }
    for (size_t frame = 0; frame < values.size(); ++frame) {
      const double got = found->second[frame];
      if (std::isnan(values[frame]) && std::isnan(got)) continue;
      if (values[frame] == got) continue;
      const double distance =
          std::abs(values[frame] - got) / std::max(1.0, std::abs(values[frame]));
      if (distance <= difference.largest) continue;
      difference = {std::isnan(distance) ? kInfinity : distance,
                    key + " of frame " + std::to_string(frame) + ": " + std::to_string(got) +
                        " instead of " + std::to_string(values[frame])};
    }
  }
  return difference;
}

}  // namespace culprit::reference::testing
