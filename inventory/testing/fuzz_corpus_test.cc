// SPDX-License-Identifier: Apache-2.0
// A fuzzer's inputs as ordinary tests: every file of its corpus, those that once broke something
// among them, and every file of the test data, whole and cut short.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "inventory/scan/file_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;

void Feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

TEST(FuzzCorpusTest, EveryInputEnds) {
  const fs::path folder = CULPRIT_FUZZ_CORPUS;
  const std::vector<std::string> inputs = WalkFiles(folder, {}, {});
  EXPECT_FALSE(inputs.empty());
  for (const std::string& input : inputs) {
    SCOPED_TRACE(input);
    Feed(ReadFile(folder / input));
  }
}

TEST(FuzzCorpusTest, TestDataEndsWhereverItIsCut) {
  const fs::path folder = CULPRIT_INVENTORY_TESTDATA;
  for (const std::string& path : WalkFiles(folder, {}, {"fuzz/**"})) {
    SCOPED_TRACE(path);
    const std::string text = "\1" + ReadFile(folder / path);
    for (const size_t parts : {1, 2, 3, 7}) Feed(text.substr(0, text.size() / parts));
  }
}

}  // namespace
}  // namespace culprit::inventory
