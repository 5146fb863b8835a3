// SPDX-License-Identifier: Apache-2.0
// culprit-atlas: asks a driver the scenarios and compares its answers with recorded ones, or two
// drivers with each other.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>

#include "suites/driver_atlas/agreement.h"
#include "suites/driver_atlas/answers.h"
#include "suites/driver_atlas/digests.h"
#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/execute.h"
#include "suites/driver_atlas/page.h"
#include "suites/driver_atlas/sampling.h"
#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {
namespace {

constexpr int kUsage = 2;
constexpr int kSkip = 77;

// All scenarios of a file or of the *.scenario files of a folder, in the order of their names.
ParseResult LoadAll(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return LoadSequences(path);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".scenario") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ParseResult all;
  for (const std::string& file : files) {
    ParseResult one = LoadSequences(file);
    if (!one.error.empty()) return one;
    all.sequences.insert(all.sequences.end(), one.sequences.begin(), one.sequences.end());
  }
  if (all.sequences.empty()) all.error = path + ": no *.scenario file in this folder";
  return all;
}

std::vector<std::string> AskAll(const std::vector<Sequence>& sequences, const std::string& only,
                                int timeout) {
  std::vector<std::string> lines;
  for (const Sequence& sequence : sequences) {
    if (!only.empty() && sequence.name.find(only) == std::string::npos) continue;
    const auto answers = ExecuteIsolated(sequence, timeout);
    lines.insert(lines.end(), answers.begin(), answers.end());
  }
  return lines;
}

int Check(const Answers& recorded, const std::vector<std::string>& got, const std::string& only,
          std::map<std::string, std::string> known) {
  std::vector<std::string> expected;
  for (const std::string& line : recorded.lines) {
    if (only.empty() || line.substr(0, line.find('|')).find(only) != std::string::npos)
      expected.push_back(line);
  }
  size_t compared = 0, unknown = 0;
  const auto differences = CompareAnswers(expected, got, &compared);
  for (const AnswerDifference& difference : differences) {
    std::printf("- %s\n+ %s\n", difference.expected.c_str(), difference.got.c_str());
    const auto reason = known.find(difference.key);
    if (reason == known.end()) {
      ++unknown;
      continue;
    }
    std::printf("  known: %s\n", reason->second.c_str());
    known.erase(reason);
  }
  std::printf("%zu lines compared, %zu differ, %zu of them known\n", compared, differences.size(),
              differences.size() - unknown);
  if (compared == 0) {
    std::fprintf(stderr, "culprit-atlas: nothing was compared\n");
    return 1;
  }
  if (only.empty()) {
    for (const auto& [key, reason] : known) {
      std::fprintf(stderr, "culprit-atlas: %s agrees: take it out of the known differences\n",
                   key.c_str());
      ++unknown;
    }
  }
  return unknown == 0 ? 0 : 1;
}

int Agree(const AgreementRequest& request) {
  const AgreementResult result = CompareDrivers(request);
  if (!result.error.empty()) {
    std::fprintf(stderr, "culprit-atlas: %s\n", result.error.c_str());
    return kUsage;
  }
  std::printf("%llu sequences agreed in a row\n", static_cast<unsigned long long>(result.agreed));
  if (!result.disagreed) return 0;
  std::printf("seed %llu disagrees:\n%s", static_cast<unsigned long long>(result.first.seed),
              result.first.sequence.Text().c_str());
  for (const auto& line : result.first.answers_a) std::printf("a: %s\n", line.c_str());
  for (const auto& line : result.first.answers_b) std::printf("b: %s\n", line.c_str());
  return 1;
}

int SampleDriver(const SamplingRequest& request, const std::string& path) {
  std::string error;
  const uint64_t answered = WriteSamples(request, path, &error);
  std::printf("%llu sequences answered by %s\n", static_cast<unsigned long long>(answered),
              request.library.c_str());
  if (error.empty()) return 0;
  std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
  return kUsage;
}

int Compare(const std::vector<std::string>& paths, const std::string& library) {
  bool all_agree = true;
  for (const std::string& path : paths) {
    SampleComparison result;
    std::string error;
    if (!CompareSamples(path, library, &result, &error)) {
      std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
      return kUsage;
    }
    for (const DisagreementKind& kind : result.kinds) {
      all_agree = false;
      std::printf("%llu sequences, the first of seed %llu: %s\n%s- %s\n+ %s\n",
                  static_cast<unsigned long long>(kind.sequences),
                  static_cast<unsigned long long>(kind.seed), kind.key.c_str(),
                  kind.slice.Text().c_str(), kind.recorded.c_str(), kind.got.c_str());
    }
    std::printf("%s: %llu sequences, %llu agree, %llu in a row\n", path.c_str(),
                static_cast<unsigned long long>(result.compared),
                static_cast<unsigned long long>(result.agreed),
                static_cast<unsigned long long>(result.longest_run));
  }
  return all_agree ? 0 : 1;
}

int CheckDigests(const std::string& path, const std::string& library) {
  DigestComparison result;
  std::string error;
  if (!CompareDigests(path, library, &result, &error)) {
    std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
    return kUsage;
  }
  constexpr size_t kMostNamed = 20;
  for (size_t i = 0; i < std::min(result.differing.size(), kMostNamed); ++i) {
    std::printf("seed %llu differs\n", static_cast<unsigned long long>(result.differing[i]));
  }
  std::printf("%s: %llu sequences, %zu differ; of %llu there is no answer\n", path.c_str(),
              static_cast<unsigned long long>(result.compared), result.differing.size(),
              static_cast<unsigned long long>(result.unanswered));
  return result.differing.empty() && result.compared != 0 ? 0 : 1;
}

int PrintPage(const std::vector<std::string>& paths) {
  std::vector<Recording> recordings;
  for (const std::string& path : paths) {
    std::string error;
    Recording recording{std::filesystem::path(path).stem(), {}};
    if (!ReadAnswers(path, &recording.answers, &error)) {
      std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
      return kUsage;
    }
    recordings.push_back(std::move(recording));
  }
  std::fputs(Page(recordings).c_str(), stdout);
  return 0;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Asks a CUDA driver what it answers, and compares.\n\n"
      "Examples:\n"
      "  culprit-atlas record suites/driver_atlas/scenarios answers.txt\n"
      "  culprit-atlas check suites/driver_atlas/scenarios "
      "suites/driver_atlas/answers/h200-r580.txt\n"
      "  culprit-atlas agree /usr/lib/x86_64-linux-gnu/libcuda.so.1 "
      "build/release/fakedriver/lib/libcuda.so.1\n"
      "  culprit-atlas sample /usr/lib/x86_64-linux-gnu/libcuda.so.1 samples.txt --count 10000\n"
      "  culprit-atlas compare build/release/fakedriver/lib/libcuda.so.1 samples.txt\n"};
  app.require_subcommand(1);
  std::string library, scenarios, answers_path, only, known_path;
  int timeout = 30;
  AgreementRequest request;
  for (CLI::App* command :
       {app.add_subcommand("run", "Print a driver's answers"),
        app.add_subcommand("record", "Write a driver's answers to a file"),
        app.add_subcommand("check", "Compare a driver's answers with recorded ones")}) {
    command->add_option("scenarios", scenarios, "A scenario file or a folder of them")->required();
    if (command->get_name() != "run")
      command->add_option("answers", answers_path, "File of answers")->required();
    if (command->get_name() == "check")
      command->add_option("--known", known_path, "File of known differences: scenario|step|reason");
    command->add_option("--library", library, "The libcuda.so.1 to ask (default: the loader's)");
    command->add_option("--only", only, "Scenarios whose name contains this");
    command->add_option("--timeout", timeout, "Seconds for one scenario");
  }
  CLI::App* agree = app.add_subcommand("agree", "Ask two drivers the same random sequences");
  agree->add_option("a", request.library_a)->required();
  agree->add_option("b", request.library_b)->required();
  agree->add_option("--first", request.first_seed, "First seed");
  agree->add_option("--count", request.count, "Number of sequences");
  agree->add_option("--steps", request.generator.steps, "Steps of a sequence");
  agree->add_flag("--contexts", request.generator.contexts,
                  "Also create, destroy, push and pop contexts");
  SamplingRequest sampling;
  std::string samples_path;
  CLI::App* sample =
      app.add_subcommand("sample", "Write a driver's answers to random sequences to a file");
  sample->add_option("library", sampling.library, "The libcuda.so.1 to ask")->required();
  sample->add_option("samples", samples_path, "The file")->required();
  sample->add_option("--first", sampling.first_seed, "First seed");
  sample->add_option("--count", sampling.count, "Number of sequences");
  sample->add_option("--seconds", sampling.seconds, "Begin nothing after so many");
  sample->add_option("--steps", sampling.generator.steps, "Steps of a sequence");
  sample->add_flag("--contexts", sampling.generator.contexts,
                   "Also create, destroy, push and pop contexts");
  std::vector<std::string> samples_paths;
  CLI::App* compare = app.add_subcommand("compare", "Ask a driver the sequences of such files");
  compare->add_option("library", library, "The libcuda.so.1 to ask")->required();
  compare->add_option("samples", samples_paths, "The files")->required();
  CLI::App* digest =
      app.add_subcommand("digest", "Print the digests of such files, one short number a sequence");
  digest->add_option("samples", samples_paths, "The files")->required();
  CLI::App* digests = app.add_subcommand("digests", "Ask a driver the sequences of digests");
  digests->add_option("library", library, "The libcuda.so.1 to ask")->required();
  digests->add_option("digests", answers_path, "The file")->required();
  uint64_t seed = 0;
  GeneratorOptions drawing;
  CLI::App* draw = app.add_subcommand("draw", "Print the random sequence of a seed as a scenario");
  draw->add_option("seed", seed)->required();
  draw->add_option("--steps", drawing.steps, "Steps of the sequence");
  draw->add_flag("--contexts", drawing.contexts, "Also create, destroy, push and pop contexts");
  std::vector<std::string> recordings;
  CLI::App* page = app.add_subcommand("page", "Print recordings as a page to read");
  page->add_option("answers", recordings, "Files of answers")->required();
  CLI11_PARSE(app, argc, argv);

  if (page->parsed()) return PrintPage(recordings);
  if (digests->parsed()) return CheckDigests(answers_path, library);
  if (digest->parsed()) {
    std::string error;
    if (PrintDigests(samples_paths, &error)) return 0;
    std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
    return kUsage;
  }
  if (draw->parsed()) {
    std::fputs(Generate(seed, drawing).Text().c_str(), stdout);
    return 0;
  }
  if (sample->parsed()) {
    return SampleDriver(sampling, samples_path);
  }
  if (compare->parsed()) return Compare(samples_paths, library);
  if (agree->parsed()) {
    if (request.generator.contexts) request.batch = 1;
    // A line every few seconds, so that a run that is cut short has said how far it came.
    request.progress = [last = std::time(nullptr)](uint64_t agreed) mutable {
      if (std::time(nullptr) - last < 5) return;
      last = std::time(nullptr);
      std::fprintf(stderr, "%llu sequences agree so far\n",
                   static_cast<unsigned long long>(agreed));
    };
    return Agree(request);
  }
  const ParseResult parsed = LoadAll(scenarios);
  if (!parsed.error.empty()) {
    std::fprintf(stderr, "culprit-atlas: %s\n", parsed.error.c_str());
    return kUsage;
  }
  if (const std::string error = OpenDriver(library); !error.empty()) {
    std::fprintf(stderr, "culprit-atlas: skipped: no driver: %s\n", error.c_str());
    return kSkip;
  }
  if (library.empty() && DeviceName().empty()) {
    std::fprintf(stderr, "culprit-atlas: skipped: %s has no device\n", DriverPath().c_str());
    return kSkip;
  }
  const auto lines = AskAll(parsed.sequences, only, timeout);
  if (app.got_subcommand("run")) {
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    return 0;
  }
  std::string error;
  Answers answers;
  if (app.got_subcommand("record")) {
    answers.about = AboutDriver();
    answers.lines = lines;
    if (!WriteAnswers(answers_path, answers, &error)) {
      std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
      return kUsage;
    }
    std::printf("%zu answers of %s written to %s\n", lines.size(), DriverPath().c_str(),
                answers_path.c_str());
    return 0;
  }
  if (!ReadAnswers(answers_path, &answers, &error)) {
    std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
    return kUsage;
  }
  std::map<std::string, std::string> known;
  if (!known_path.empty() && !ReadKnownDifferences(known_path, &known, &error)) {
    std::fprintf(stderr, "culprit-atlas: %s\n", error.c_str());
    return kUsage;
  }
  return Check(answers, lines, only, std::move(known));
}

}  // namespace
}  // namespace culprit::atlas

int main(int argc, char** argv) { return culprit::atlas::Main(argc, argv); }
