// SPDX-License-Identifier: Apache-2.0
//
// Measures how far every CUDA extractor is from the golden scores on the driver that is found, and
// writes what reference_impl/golden/differences_on_fake.json is:
//
//   LD_LIBRARY_PATH=build/release/fakedriver/lib culprit-record-differences FILE [EXTRACTOR...]
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "reference_impl/golden/difference_record.h"

namespace {

using namespace culprit::reference;
using namespace culprit::reference::testing;

std::unique_ptr<State> OpenState() {
  std::shared_ptr<DeviceState> device;
  Status created = DeviceState::Create(nullptr, &device);
  if (!created.ok()) throw std::runtime_error(created.error().message);
  return std::make_unique<State>(std::move(device));
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  std::vector<std::string> extractors;
  CLI::App app("Measures the differences of every CUDA extractor from the golden scores");
  app.add_option("file", path, "The record; what it has of other extractors stays")->required();
  app.add_option("extractors", extractors, "Only these");
  CLI11_PARSE(app, argc, argv);
  try {
    DifferenceRecord record;
    if (std::filesystem::exists(path)) record = ReadDifferences(path);
    for (const Followed& followed : kFollowedOnDevice) {
      if (!extractors.empty() &&
          std::find(extractors.begin(), extractors.end(), followed.extractor) == extractors.end()) {
        continue;
      }
      const RecordedDifference measured =
          MeasureDifference(CULPRIT_GOLDEN_FOLDER, followed, &OpenState);
      record[followed.extractor] = measured;
      WriteDifferences(path, record);
      std::printf("%s: %g %s\n", followed.extractor, measured.largest, measured.where.c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "culprit-record-differences: %s\n", error.what());
    return 1;
  }
  return 0;
}
