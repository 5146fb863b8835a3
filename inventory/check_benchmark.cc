// SPDX-License-Identifier: Apache-2.0
// A million lines on one core: under ten seconds and one gibibyte. `dense` is the worst case, a
// tree in which every file drives CUDA (testdata/extractors, many times over, each copy with names
// of its own); in `mixed` one file in twenty does, as in a multimedia library.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

constexpr size_t kLines = 1'000'000;

const std::filesystem::path kRoot =
    std::filesystem::path(CULPRIT_INVENTORY_TESTDATA) / "extractors";

// The same code with every driver call and every helper renamed: of the same size and shape, and of
// no interest.
std::string WithoutCuda(std::string text) {
  for (size_t at = text.find("cu"); at != std::string::npos; at = text.find("cu", at + 1))
    text[at] = 'x';
  for (size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 2))
    text.insert(at, "_");
  return text;
}

// Gives the copy's functions names of their own, so that the call graph grows with the tree.
std::string Renamed(std::string text, size_t copy) {
  const std::string suffix = "_" + std::to_string(copy);
  for (size_t at = text.find("_state"); at != std::string::npos; at = text.find("_state", at + 6))
    text.insert(at + 6, suffix);
  return text;
}

Tree MillionLines(const Contract& contract, size_t every) {
  const Tree original = ReadTree(kRoot, contract);
  Tree tree;
  size_t lines = 0;
  for (size_t copy = 0; lines < kLines; ++copy) {
    for (const SourceFile& file : original.sources) {
      const bool drives_cuda = tree.sources.size() % every == 0;
      std::string text = Renamed(std::string(file.text()), copy);
      if (!drives_cuda) text = WithoutCuda(std::move(text));
      tree.sources.emplace_back("copy" + std::to_string(copy) + "/" + file.path(), std::move(text),
                                file.language());
      lines += tree.sources.back().line_count();
    }
  }
  return tree;
}

void CheckMillionLines(benchmark::State& state, size_t every) {
  const Contract contract = ParseContract(ReadFile(kRoot / "inventory.toml"), "inventory.toml");
  const Tree tree = MillionLines(contract, every);
  size_t lines = 0, findings = 0;
  for (auto _ : state) {
    const Report report = CheckTree(tree, contract);
    lines += report.lines;
    findings = report.findings.size();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["lines/s"] =
      benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
  state.counters["findings"] = static_cast<double>(findings);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

BENCHMARK_CAPTURE(CheckMillionLines, mixed, 20)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(CheckMillionLines, dense, 1)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace culprit::inventory
