// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/golden/difference_record.h"

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "reference_impl/golden/recorded_scores.h"

namespace culprit::reference::testing {
namespace {

void Take(const Difference& difference, const std::string& clip, RecordedDifference* largest) {
  ++largest->clips;
  if (difference.largest <= largest->largest) return;
  largest->largest = difference.largest;
  largest->clip = clip;
  largest->where = difference.where;
}

ScoreTable ScoresOf(const RecordedRun& run) {
  ScoreTable scores;
  for (const auto& [key, bits] : run) {
    for (const uint64_t score : bits) scores[key].push_back(std::bit_cast<double>(score));
  }
  return scores;
}

// JSON has no infinity: where nothing can be compared, the largest difference is null.
nlohmann::json ToJson(const RecordedDifference& difference) {
  nlohmann::json largest;
  if (std::isfinite(difference.largest)) largest = difference.largest;
  return {{"largest", std::move(largest)},
          {"clip", difference.clip},
          {"where", difference.where},
          {"clips", difference.clips}};
}

RecordedDifference DifferenceFromJson(const nlohmann::json& json) {
  const nlohmann::json& largest = json.at("largest");
  return {largest.is_null() ? std::numeric_limits<double>::infinity() : largest.get<double>(),
          json.at("clip").get<std::string>(), json.at("where").get<std::string>(),
          json.at("clips").get<uint32_t>()};
}

}  // namespace

RecordedDifference MeasureDifference(const std::string& golden_folder, const Followed& followed,
                                     const std::function<std::unique_ptr<State>()>& make_state) {
  RecordedDifference largest;
  for (const char* clip : kGoldenClips) {
    const std::optional<Difference> difference =
        LargestDifference(golden_folder, followed, clip, /*threads=*/0, make_state);
    if (difference) Take(*difference, clip, &largest);
  }
  return largest;
}

DifferenceRecord DifferencesOfRecordedScores(const std::string& golden_folder,
                                             const std::string& record_folder) {
  DifferenceRecord record;
  for (const std::string clip : kRecordedClips) {
    if (!HasGoldenScores(clip)) continue;
    const RecordedClip recorded = ReadRecord(record_folder, clip);
    for (const GoldenFeature& golden : ReadGolden(golden_folder, clip)) {
      if (!golden.options.empty() || golden.scores.empty()) continue;
      for (const Followed& followed : kFollowedOnDevice) {
        const auto run = recorded.find(followed.extractor);
        if (golden.name != followed.feature || run == recorded.end()) continue;
        Take(Compare(golden.scores, ScoresOf(run->second)), clip, &record[followed.extractor]);
      }
    }
  }
  return record;
}

DifferenceRecord ReadDifferences(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  DifferenceRecord record;
  try {
    const auto json = nlohmann::json::parse(file);
    for (const auto& [extractor, difference] : json.items()) {
      record[extractor] = DifferenceFromJson(difference);
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  return record;
}

void WriteDifferences(const std::string& path, const DifferenceRecord& record) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [extractor, difference] : record) json[extractor] = ToJson(difference);
  std::ofstream file(path);
  file << json.dump(1) << "\n";
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace culprit::reference::testing
