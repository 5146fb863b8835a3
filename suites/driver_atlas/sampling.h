// SPDX-License-Identifier: Apache-2.0
// Random sequences asked of one driver now and of another one later, on another machine: time on a
// device goes into answers alone, and a fake that was mended is compared again without it.
//
// A file of samples is text: "# culprit-atlas samples", "# steps 24 contexts 0", "# driver ...",
// then for each sequence a line "seed 17" and one line for the answer to each of its steps. A
// sequence that ended the driver's process has those up to there, and "process|SIGNAL 11".
#ifndef SUITES_DRIVER_ATLAS_SAMPLING_H_
#define SUITES_DRIVER_ATLAS_SAMPLING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "suites/driver_atlas/generator.h"

namespace culprit::atlas {

// Sequences to a process. A context costs a device a tenth of a second and more; what one sequence
// does to the primary context, the next ones see.
constexpr uint64_t BatchOf(const GeneratorOptions& options) { return options.contexts ? 8 : 500; }

struct SamplingRequest {
  std::string library;
  uint64_t first_seed = 1;
  uint64_t count = 1000;
  int seconds = 0;  // no batch is begun after so many; 0: no limit
  GeneratorOptions generator;
};

// Asks and writes; returns the number of sequences that were answered. `error` is empty, or says
// why there are none.
uint64_t WriteSamples(const SamplingRequest& request, const std::string& path, std::string* error);

// The answers to the steps of one sequence; the last may say how the driver's process ended.
using AnswerLines = std::vector<std::string>;
bool SaysHowProcessEnded(const std::string& line);

// The answers of all seeds, in order. A sequence that ends its process is answered by how it ended,
// and the rest goes to a new one. `error` is empty, or says why there are none.
std::vector<AnswerLines> AskSeeds(const std::string& library, const std::vector<uint64_t>& seeds,
                                  const GeneratorOptions& options, std::string* error);

// A file of them, read.
struct Samples {
  GeneratorOptions generator;
  std::vector<uint64_t> seeds;
  std::vector<AnswerLines> answers;
};

// On a malformed file false, with file, line and rule in `error`.
bool ReadSamples(const std::string& path, Samples* samples, std::string* error);

// Sequences whose answers differ in the same way: the operation and both answers, but for the
// names of slots.
struct DisagreementKind {
  std::string key;
  uint64_t sequences = 0;
  uint64_t seed = 0;  // of the first
  Sequence slice;     // of it: what the step that differs depends on
  std::string recorded, got;
};

struct SampleComparison {
  uint64_t compared = 0;
  uint64_t agreed = 0;
  uint64_t longest_run = 0;             // that agreed in a row
  std::vector<DisagreementKind> kinds;  // most frequent first
};

// Asks `library` the sequences of a file of samples. On a malformed file false, with file, line and
// rule in `error`.
bool CompareSamples(const std::string& path, const std::string& library, SampleComparison* result,
                    std::string* error);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_SAMPLING_H_
