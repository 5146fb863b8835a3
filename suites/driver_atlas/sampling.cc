// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>

#include "suites/driver_atlas/asked_driver.h"
#include "suites/driver_atlas/shrink.h"

namespace culprit::atlas {
namespace {

constexpr const char* kHeading = "# culprit-atlas samples";
constexpr const char* kNoDriver = "cannot open ";
constexpr size_t kFieldsBeforeAnswer = 3;  // sequence|number|step|

std::string AnswerOf(const std::string& line) {
  size_t at = 0;
  for (size_t field = 0; field < kFieldsBeforeAnswer; ++field) at = line.find('|', at) + 1;
  return line.substr(at);
}

// The key of a kind: names of slots without their numbers.
std::string WithoutNumbersOfSlots(const std::string& text) {
  std::string kept;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins_slot = std::isalpha(static_cast<unsigned char>(text[i])) != 0 &&
                             (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0);
    kept += text[i];
    if (!begins_slot) continue;
    while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
  }
  return kept;
}

std::optional<uint64_t> NumberAfter(const std::string& line, const std::string& word) {
  if (line.rfind(word, 0) != 0) return std::nullopt;
  uint64_t number = 0;
  const char* end = line.data() + line.size();
  const auto read = std::from_chars(line.data() + word.size(), end, number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

class Comparison {
 public:
  explicit Comparison(SampleComparison* result) : result_(*result) {}

  void Add(uint64_t seed, const GeneratorOptions& options, const AnswerLines& recorded,
           const AnswerLines& got) {
    ++result_.compared;
    if (recorded == got) {
      ++result_.agreed;
      result_.longest_run = std::max(result_.longest_run, ++run_);
      return;
    }
    run_ = 0;
    const Sequence sequence = Generate(seed, options);
    const auto at = static_cast<size_t>(
        std::mismatch(recorded.begin(), recorded.end(), got.begin(), got.end()).first -
        recorded.begin());
    const std::string a = at < recorded.size() ? recorded[at] : "ended";
    const std::string b = at < got.size() ? got[at] : "ended";
    const std::string operation =
        at < sequence.steps.size() ? sequence.steps[at].operation : "process";
    DisagreementKind& kind = kinds_[WithoutNumbersOfSlots(operation + ": " + a + " / " + b)];
    if (++kind.sequences != 1) return;
    kind.seed = seed;
    kind.slice = Slice(sequence, at);
    kind.recorded = a;
    kind.got = b;
  }

  void Finish() {
    for (auto& [key, kind] : kinds_) {
      kind.key = key;
      result_.kinds.push_back(std::move(kind));
    }
    std::stable_sort(result_.kinds.begin(), result_.kinds.end(),
                     [](const auto& a, const auto& b) { return a.sequences > b.sequences; });
  }

 private:
  SampleComparison& result_;
  uint64_t run_ = 0;
  std::map<std::string, DisagreementKind> kinds_;
};

}  // namespace

bool SaysHowProcessEnded(const std::string& line) { return line.rfind("process|", 0) == 0; }

std::vector<AnswerLines> AskSeeds(const std::string& library, const std::vector<uint64_t>& seeds,
                                  const GeneratorOptions& options, std::string* error) {
  std::vector<Sequence> sequences;
  for (const uint64_t seed : seeds) sequences.push_back(Generate(seed, options));
  std::vector<AnswerLines> answers;
  while (answers.size() < sequences.size()) {
    const std::vector<Sequence> rest(sequences.begin() + static_cast<ptrdiff_t>(answers.size()),
                                     sequences.end());
    const std::vector<std::string> lines = Collect(Ask(library, rest));
    if (!lines.empty() && lines[0].rfind(kNoDriver, 0) == 0) {
      *error = lines[0];
      return {};
    }
    auto line = lines.begin();
    for (const Sequence& sequence : rest) {
      AnswerLines one;
      // Fewer where the process ended: the last line, "process|...", then says how.
      const auto end = line + std::min(std::ssize(sequence.steps), lines.end() - line);
      const bool ended = std::find_if(line, end, SaysHowProcessEnded) != end;
      for (; line != end; ++line) {
        one.push_back(SaysHowProcessEnded(*line) ? *line : AnswerOf(*line));
      }
      answers.push_back(std::move(one));
      if (ended) break;
    }
  }
  answers.resize(sequences.size());
  return answers;
}

bool ReadSamples(const std::string& path, Samples* samples, std::string* error) {
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    auto fail = [&](const char* rule) {
      *error = fmt::format("{}:{}: {}", path, number, rule);
      return false;
    };
    if (number == 1 && line != kHeading) return fail("expected the heading of a file of samples");
    if (const auto steps = NumberAfter(line, "# steps ")) {
      samples->generator.steps = static_cast<int>(*steps);
      samples->generator.contexts = line.find("contexts 1") != std::string::npos;
    } else if (const auto seed = NumberAfter(line, "seed ")) {
      samples->seeds.push_back(*seed);
      samples->answers.emplace_back();
    } else if (line.rfind("#", 0) != 0) {
      if (samples->answers.empty()) return fail("an answer before the first 'seed'");
      samples->answers.back().push_back(line);
    }
  }
  if (samples->seeds.empty()) *error = path + ":1: no samples";
  return !samples->seeds.empty();
}

uint64_t WriteSamples(const SamplingRequest& request, const std::string& path, std::string* error) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(request.seconds);
  std::ofstream file(path);
  file << kHeading << "\n# steps " << request.generator.steps << " contexts "
       << (request.generator.contexts ? 1 : 0) << "\n# driver " << request.library << "\n";
  uint64_t done = 0;
  while (done < request.count && (request.seconds == 0 || Clock::now() < end)) {
    std::vector<uint64_t> seeds;
    for (uint64_t i = 0; i < BatchOf(request.generator) && done + i < request.count; ++i) {
      seeds.push_back(request.first_seed + done + i);
    }
    const std::vector<AnswerLines> answers =
        AskSeeds(request.library, seeds, request.generator, error);
    if (!error->empty()) return done;
    for (size_t i = 0; i < seeds.size(); ++i) {
      file << "seed " << seeds[i] << "\n";
      for (const std::string& answer : answers[i]) file << answer << "\n";
    }
    file.flush();
    done += seeds.size();
  }
  if (!file) *error = path + ": cannot be written";
  return done;
}

bool CompareSamples(const std::string& path, const std::string& library, SampleComparison* result,
                    std::string* error) {
  Samples samples;
  if (!ReadSamples(path, &samples, error)) return false;
  const size_t batch = BatchOf(samples.generator);
  Comparison comparison(result);
  for (size_t at = 0; at < samples.seeds.size(); at += batch) {
    const auto begin = samples.seeds.begin() + static_cast<ptrdiff_t>(at);
    const std::vector<uint64_t> seeds(
        begin, begin + static_cast<ptrdiff_t>(std::min(batch, samples.seeds.size() - at)));
    const std::vector<AnswerLines> got = AskSeeds(library, seeds, samples.generator, error);
    if (!error->empty()) return false;
    for (size_t i = 0; i < seeds.size(); ++i) {
      comparison.Add(seeds[i], samples.generator, samples.answers[at + i], got[i]);
    }
  }
  comparison.Finish();
  return true;
}

}  // namespace culprit::atlas
