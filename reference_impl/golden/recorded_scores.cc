// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/golden/recorded_scores.h"

#include <bit>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reference_impl/extractor/registry.h"
#include "reference_impl/testing/golden_scores.h"

namespace culprit::reference::testing {
namespace {

constexpr int kHexadecimal = 16;

// Sixteen digits: JSON numbers would be rounded by some readers.
std::string TextOf(uint64_t bits) {
  char text[2 * sizeof bits + 1];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

uint64_t BitsOf(const std::string& text) {
  uint64_t bits = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, bits, kHexadecimal);
  if (read.ec != std::errc() || read.ptr != end) throw std::runtime_error(text + " is no score");
  return bits;
}

std::string PathOf(const std::string& folder, const std::string& clip) {
  return folder + "/" + clip + ".json";
}

}  // namespace

bool IsRecorded(std::string_view clip_name, std::string_view extractor) {
  constexpr uint32_t kMostSamples = 320 * 240;  // of a clip that every extractor is run on
  constexpr uint32_t kLargeSide = 160;
  const ClipSpec* clip = FindClip(clip_name);
  const ExtractorDescriptor* descriptor = FindExtractor(extractor);
  if (clip == nullptr || descriptor == nullptr || descriptor->backend != Backend::kCuda) {
    return false;
  }
  const auto [width, height] = descriptor->smallest;
  if (clip->geometry.width < width || clip->geometry.height < height) return false;
  return clip->geometry.width * clip->geometry.height <= kMostSamples || height >= kLargeSide;
}

RecordedRun Record(const std::string& clip, const std::string& extractor, uint32_t threads) {
  std::shared_ptr<DeviceState> device;
  Status created = DeviceState::Create(nullptr, &device);
  if (!created.ok()) throw std::runtime_error(created.error().message);
  State state(std::move(device));
  RecordedRun run;
  for (const auto& [key, scores] : ScoreClip(*FindClip(clip), extractor, {}, threads, &state)) {
    for (const double score : scores) run[key].push_back(std::bit_cast<uint64_t>(score));
  }
  Status freed = state.Free();
  if (!freed.ok()) throw std::runtime_error(freed.error().message);
  return run;
}

RecordedClip ReadRecord(const std::string& folder, const std::string& clip) {
  const std::string path = PathOf(folder, clip);
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  RecordedClip record;
  try {
    const auto json = nlohmann::json::parse(file);
    for (const auto& [extractor, keys] : json.items()) {
      for (const auto& [key, scores] : keys.items()) {
        for (const auto& score : scores) {
          record[extractor][key].push_back(BitsOf(score.get<std::string>()));
        }
      }
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  return record;
}

void WriteRecord(const std::string& folder, const std::string& clip, const RecordedClip& record) {
  const std::string path = PathOf(folder, clip);
  std::ofstream file(path);
  const char* separator = "{\n";
  for (const auto& [extractor, run] : record) {
    nlohmann::json line = nlohmann::json::object();
    for (const auto& [key, scores] : run) {
      for (const uint64_t bits : scores) line[key].push_back(TextOf(bits));
    }
    file << separator << '"' << extractor << "\":" << line.dump();
    separator = ",\n";
  }
  file << "\n}\n";
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace culprit::reference::testing
