// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "suites/driver_atlas/sampling.h"

namespace culprit::atlas {
namespace {

constexpr const char* kDigestsHeading = "# culprit-atlas digests";
constexpr size_t kDigits = 6;
constexpr size_t kSeedsInLine = 20;
constexpr const char* kUnanswered = "------";
constexpr uint64_t kMostSeeds = 10'000'000;

// FNV-1a over the answers, a line feed after each; its lowest 24 bits.
std::string DigestOf(const AnswerLines& answers) {
  if (answers.empty() || SaysHowProcessEnded(answers.back())) return kUnanswered;
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3; };
  for (const std::string& answer : answers) {
    std::for_each(answer.begin(), answer.end(), add);
    add('\n');
  }
  return fmt::format("{:06x}", hash & 0xffffff);
}

struct Run {
  GeneratorOptions generator;
  uint64_t first = 0;
  uint64_t count = 0;
  std::string digits;
};

bool ReadDigests(const std::string& path, std::vector<Run>* runs, std::string* error) {
  std::ifstream file(path);
  std::string line;
  GeneratorOptions generator;
  int number = 1;
  auto fail = [&](const char* rule) {
    *error = fmt::format("{}:{}: {}", path, number, rule);
    return false;
  };
  auto incomplete = [&] {
    return !runs->empty() && runs->back().digits.size() != runs->back().count * kDigits;
  };
  for (; std::getline(file, line); ++number) {
    unsigned long long first = 0;
    unsigned long long count = 0;
    int contexts = 0;
    if (number == 1 && line != kDigestsHeading) return fail("expected the heading of digests");
    if (std::sscanf(line.c_str(), "# steps %d contexts %d", &generator.steps, &contexts) == 2) {
      generator.contexts = contexts != 0;
    } else if (std::sscanf(line.c_str(), "seeds %llu %llu", &first, &count) == 2) {
      if (incomplete()) return fail("the seeds before have fewer digests than their number");
      if (count == 0 || count > kMostSeeds) return fail("expected 1 to 10000000 seeds");
      runs->push_back({generator, first, count, {}});
    } else if (line.rfind('#', 0) != 0) {
      if (runs->empty()) return fail("a digest before the first 'seeds'");
      if (line.find_first_not_of("0123456789abcdef-") != std::string::npos) {
        return fail("a digest has six hexadecimal digits");
      }
      runs->back().digits += line;
      if (runs->back().digits.size() > runs->back().count * kDigits) {
        return fail("more digests than seeds");
      }
    }
  }
  if (runs->empty()) return fail("no digests");
  return incomplete() ? fail("fewer digests than seeds") : true;
}

}  // namespace

bool PrintDigests(const std::vector<std::string>& paths, std::string* error) {
  std::puts(kDigestsHeading);
  for (const std::string& path : paths) {
    Samples samples;
    if (!ReadSamples(path, &samples, error)) return false;
    std::printf("# steps %d contexts %d\nseeds %llu %zu\n", samples.generator.steps,
                samples.generator.contexts ? 1 : 0,
                static_cast<unsigned long long>(samples.seeds[0]), samples.seeds.size());
    for (size_t i = 0; i < samples.answers.size(); ++i) {
      const bool ends_line = i % kSeedsInLine == kSeedsInLine - 1 || i + 1 == samples.answers.size();
      std::printf("%s%s", DigestOf(samples.answers[i]).c_str(), ends_line ? "\n" : "");
    }
  }
  return true;
}

bool CompareDigests(const std::string& path, const std::string& library, DigestComparison* result,
                    std::string* error) {
  std::vector<Run> runs;
  if (!ReadDigests(path, &runs, error)) return false;
  for (const Run& run : runs) {
    const uint64_t batch = BatchOf(run.generator);
    for (uint64_t done = 0; done < run.count; done += batch) {
      std::vector<uint64_t> seeds;
      for (uint64_t i = done; i < std::min(done + batch, run.count); ++i) {
        seeds.push_back(run.first + i);
      }
      const std::vector<AnswerLines> got = AskSeeds(library, seeds, run.generator, error);
      if (!error->empty()) return false;
      for (size_t i = 0; i < seeds.size(); ++i) {
        const std::string recorded = run.digits.substr((done + i) * kDigits, kDigits);
        if (recorded == kUnanswered) {
          ++result->unanswered;
          continue;
        }
        ++result->compared;
        if (recorded != DigestOf(got[i])) result->differing.push_back(seeds[i]);
      }
    }
  }
  return true;
}

}  // namespace culprit::atlas
