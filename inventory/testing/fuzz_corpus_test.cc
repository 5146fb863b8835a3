// SPDX-License-Identifier: Apache-2.0
// A fuzzer's inputs as ordinary tests: every file of its corpus, those that once broke something
// among them, and every file of the test data, whole and cut short.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
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

// All inputs: the corpus and the test data, which start with the byte that chooses a language.
std::vector<std::string> AllInputs() {
  std::vector<std::string> inputs;
  const fs::path corpus = CULPRIT_FUZZ_CORPUS, data = CULPRIT_INVENTORY_TESTDATA;
  for (const std::string& path : WalkFiles(corpus, {}, {}))
    inputs.push_back(ReadFile(corpus / path));
  for (const std::string& path : WalkFiles(data, {}, {"fuzz/**"}))
    inputs.push_back(std::string(1, static_cast<char>(inputs.size() % 3)) + ReadFile(data / path));
  return inputs;
}

// Deletes, repeats, replaces or brings in a piece from another input.
std::string Mutated(std::string text, const std::vector<std::string>& inputs,
                    std::mt19937_64& random) {
  const auto below = [&](size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (size_t change = 0, changes = 1 + below(8); change < changes && !text.empty(); ++change) {
    const size_t at = below(text.size());
    const size_t length = 1 + below(std::min<size_t>(text.size() - at, 1 + below(60)));
    const std::string& other = inputs[below(inputs.size())];
    static constexpr char kTelling[] = "(){}[]<>;,#\\\"'/*=&|!:.\n\0\xff";
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, std::string(text, at, length));
        break;
      case 2:
        text[at] = kTelling[below(sizeof(kTelling) - 1)];
        break;
      default:
        text.insert(at, other, below(other.size()), length);
    }
  }
  return text;
}

// CULPRIT_FUZZ_INPUTS=100000 tries more than the usual, CULPRIT_FUZZ_SEED others.
TEST(FuzzCorpusTest, MutatedInputsEnd) {
  const auto setting = [](const char* name, uint64_t otherwise) {
    const char* value = std::getenv(name);
    return value ? std::strtoull(value, nullptr, 10) : otherwise;
  };
  const uint64_t seed = setting("CULPRIT_FUZZ_SEED", 1);
  std::mt19937_64 random(seed);
  const std::vector<std::string> inputs = AllInputs();
  for (uint64_t i = 0; i < setting("CULPRIT_FUZZ_INPUTS", 500); ++i) {
    SCOPED_TRACE(seed);
    const std::string input = Mutated(inputs[random() % inputs.size()], inputs, random);
    // What ends the process can be fed again.
    if (const char* last = std::getenv("CULPRIT_FUZZ_LAST"))
      std::ofstream(last, std::ios::binary) << input;
    Feed(input);
  }
}

}  // namespace
}  // namespace culprit::inventory
