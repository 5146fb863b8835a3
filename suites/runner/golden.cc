// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/golden.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace culprit::suites {
namespace {

// Two builds made the scores; where they differ the first name here is followed.
constexpr const char* kSources[] = {"both", "lusoris"};

uint32_t FormatOf(const std::string& name) {
  if (name == "420") return CULPRIT_PIXEL_420;
  if (name == "422") return CULPRIT_PIXEL_422;
  if (name == "444") return CULPRIT_PIXEL_444;
  if (name == "400") return CULPRIT_PIXEL_400;
  throw std::invalid_argument("pixel_format " + name);
}

void ReadSeries(const nlohmann::json& frames, std::vector<ScoreSeries>* scores) {
  for (const auto& [key, values] : frames.items()) {
    ScoreSeries& series = scores->emplace_back();
    series.key = key;
    for (const nlohmann::json& value : values) {
      series.values.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    }
  }
}

}  // namespace

Golden ReadGolden(const std::string& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(folder) / (name + ".json");
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  try {
    const auto json = nlohmann::json::parse(file);
    Golden golden;
    json.at("width").get_to(golden.shape.width);
    json.at("height").get_to(golden.shape.height);
    json.at("bitdepth").get_to(golden.shape.bits);
    json.at("frames").get_to(golden.shape.frames);
    golden.shape.format = FormatOf(json.at("pixel_format").get<std::string>());
    for (const auto& [feature, sources] : json.at("results").items()) {
      if (feature.find('=') != std::string::npos) continue;  // a feature with options
      for (const char* source : kSources) {
        const auto found = sources.find(source);
        if (found != sources.end() && found->contains("frames")) {
          ReadSeries(found->at("frames"), &golden.scores);
        }
      }
    }
    return golden;
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace culprit::suites
