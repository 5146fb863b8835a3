// SPDX-License-Identifier: Apache-2.0
//
// Records the scores of every CUDA extractor on the driver that is installed. A serial run and two
// threaded ones must agree to the last bit, or nothing is written.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

#include "reference_impl/extractor/registry.h"
#include "reference_impl/golden/recorded_scores.h"

namespace {

using namespace culprit::reference::testing;

bool RecordAllOf(const std::string& clip, RecordedClip* record) {
  bool same = true;
  for (const auto& extractor : culprit::reference::AllExtractors()) {
    if (!IsRecorded(clip, extractor.name)) continue;
    const RecordedRun serial = Record(clip, extractor.name, /*threads=*/0);
    for (const uint32_t threads : {1u, 4u}) {
      const bool agrees = Record(clip, extractor.name, threads) == serial;
      same &= agrees;
      if (!agrees)
        std::printf("%s on %s differs with %u threads\n", extractor.name, clip.c_str(), threads);
    }
    std::printf("%s on %s: %zu keys\n", extractor.name, clip.c_str(), serial.size());
    (*record)[extractor.name] = serial;
  }
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  CLI::App app("Records the scores of every CUDA extractor, to the last bit");
  app.add_option("folder", folder, "Where the record is written, a file a clip")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    for (const char* clip : kRecordedClips) {
      RecordedClip record;
      if (!RecordAllOf(clip, &record)) return 1;
      WriteRecord(folder, clip, record);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "culprit-record-scores: %s\n", error.what());
    return 1;
  }
  return 0;
}
