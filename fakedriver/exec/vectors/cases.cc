// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/cases.h"

#include <algorithm>
#include <cinttypes>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "fakedriver/exec/vectors/form.h"
#include "fakedriver/exec/vectors/inputs.h"
#include "fakedriver/exec/vectors/program_generator.h"

namespace culprit::exec::vectors {
namespace {

constexpr std::string_view kProgram = "program ";

const std::unordered_map<std::string, Variant>& VariantsByBody() {
  static const auto* const all = [] {
    auto* map = new std::unordered_map<std::string, Variant>;
    for (Variant& variant : AllVariants()) {
      std::string name = variant.body;
      map->emplace(std::move(name), std::move(variant));
    }
    return map;
  }();
  return *all;
}

void AddCorpus(const std::string& folder, std::vector<Case>& cases) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string ptx = text.str();
    constexpr std::string_view kEntry = ".visible .entry ";
    for (size_t at = 0; (at = ptx.find(kEntry, at)) != std::string::npos;) {
      at += kEntry.size();
      const std::string entry = ptx.substr(at, ptx.find('(', at) - at);
      cases.push_back({file.filename().string() + " " + entry, ptx, entry});
    }
  }
}

}  // namespace

std::vector<Case> AllCases(const std::string& corpus) {
  std::vector<Case> cases;
  std::unordered_map<std::string, bool> seen;
  for (const Variant& variant : AllVariants()) {
    if (!seen.emplace(variant.body, true).second) continue;
    cases.push_back({variant.body, {}});
  }
  for (unsigned seed = 1; seed <= kPrograms; ++seed)
    cases.push_back({std::string(kProgram) + std::to_string(seed), {}});
  if (!corpus.empty()) AddCorpus(corpus, cases);
  return cases;
}

Kernel MakeKernel(const Case& which) {
  Kernel kernel;
  kernel.entry = which.entry;
  if (!which.text.empty()) {
    kernel.text = which.text;
    kernel.blocks = kCorpusBlocks;
    kernel.output_words = kCorpusWords;
    kernel.inputs = {InputValues("b64", 2, kCorpusWords, kSeed)};
    return kernel;
  }
  if (which.name.starts_with(kProgram)) {
    const uint64_t seed = std::stoull(which.name.substr(kProgram.size()));
    kernel.text = GenerateProgram(seed);
    kernel.blocks = kProgramBlocks;
    kernel.threads = kProgramThreads;
    kernel.output_words = 2 * kProgramBlocks * kProgramThreads + kProgramCounters;
    kernel.inputs = {InputValues("b64", 2, kProgramBlocks * kProgramThreads, kSeed + seed)};
    return kernel;
  }
  const Variant& variant = VariantsByBody().at(which.name);
  kernel.text = KernelText(variant);
  kernel.blocks = kElements / 128;
  kernel.output_words = 2 * kElements;
  kernel.scratch_bytes = 32 * kElements;
  for (unsigned n = 0; n < 3; ++n) {
    kernel.inputs.push_back(
        InputValues(n < variant.sources.size() ? variant.sources[n] : "b64", n, kElements, kSeed));
  }
  return kernel;
}

std::string Verdict(const Run& run) {
  if (run.stage == "load") return "refused";
  if (run.result != CUDA_SUCCESS) return "fault " + std::to_string(run.result);
  uint64_t digest = run.output.size();
  for (uint64_t word : run.output) digest = Mix(digest ^ word) + 0x9e3779b97f4a7c15;
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, digest);
  return text;
}

}  // namespace culprit::exec::vectors
