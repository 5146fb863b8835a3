// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

std::string ValueText(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "no score";
}

const ScoreSeries* Find(const std::vector<ScoreSeries>& scores, const std::string& key) {
  for (const ScoreSeries& series : scores) {
    if (series.key == key) return &series;
  }
  return nullptr;
}

bool SameBits(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return std::bit_cast<uint64_t>(*a) == std::bit_cast<uint64_t>(*b);
}

// The first difference; empty when there is none.
std::string Difference(const ScoreSeries& got, const ScoreSeries& expected) {
  const size_t frames = std::max(got.values.size(), expected.values.size());
  for (size_t i = 0; i < frames; ++i) {
    const auto a = i < got.values.size() ? got.values[i] : std::nullopt;
    const auto b = i < expected.values.size() ? expected.values[i] : std::nullopt;
    if (!SameBits(a, b)) {
      return fmt::format("{} of frame {} is {}, expected {}", got.key, i, ValueText(a),
                         ValueText(b));
    }
  }
  return {};
}

void Wrong(std::string message, Findings* findings) {
  findings->push_back({.id = "port.scores_wrong", .message = std::move(message), .step = "scores"});
}

bool Selected(const ScoreExpectation& expect, const std::string& key) {
  return expect.keys.empty() ||
         std::find(expect.keys.begin(), expect.keys.end(), key) != expect.keys.end();
}

void JudgeAgainst(const std::vector<ScoreSeries>& got, const std::vector<ScoreSeries>& expected,
                  const ScoreExpectation& expect, const char* what, bool all_of_ours,
                  Findings* findings) {
  size_t compared = 0;
  for (const ScoreSeries& series : got) {
    if (!Selected(expect, series.key)) continue;
    const auto renamed = expect.same_keys.find(series.key);
    const ScoreSeries* other =
        Find(expected, renamed != expect.same_keys.end() ? renamed->second : series.key);
    if (other == nullptr) {
      if (all_of_ours) {
        Wrong(fmt::format("key {} was not written by {}", series.key, what), findings);
      }
      continue;
    }
    ++compared;
    if (const std::string difference = Difference(series, *other); !difference.empty()) {
      return Wrong(fmt::format("{}, as in {}", difference, what), findings);
    }
  }
  for (const std::string& key : expect.keys) {
    if (Find(got, key) == nullptr) Wrong(fmt::format("key {} was not written", key), findings);
  }
  if (compared == 0) {
    Wrong(fmt::format("no key in common with {}, so nothing was compared", what), findings);
  }
}

void JudgeConstant(const std::vector<ScoreSeries>& got, const ScoreExpectation& expect,
                   Findings* findings) {
  size_t compared = 0;
  for (const ScoreSeries& series : got) {
    if (!Selected(expect, series.key)) continue;
    for (size_t i = 0; i < series.values.size(); ++i) {
      ++compared;
      if (series.values[i] != expect.constant) {
        return Wrong(fmt::format("{} of frame {} is {}, expected {}", series.key, i,
                                 ValueText(series.values[i]), expect.constant),
                     findings);
      }
    }
  }
  if (compared == 0) Wrong("no score was written, so nothing was compared", findings);
}

}  // namespace

void JudgeScores(const Observation& seen, Findings* findings) {
  if (!seen.record.scores_read || !ClaimsSuccess(seen.record)) return;
  const std::vector<ScoreSeries>& got = seen.record.scores;
  if (got.empty() && !seen.settings.extractors.empty()) return Wrong("no score at all", findings);
  const ScoreExpectation& expect = seen.scenario.expect.scores;
  switch (expect.kind) {
    case ScoreExpectation::Kind::kNone:
      break;
    case ScoreExpectation::Kind::kConstant:
      JudgeConstant(got, expect, findings);
      break;
    case ScoreExpectation::Kind::kGolden:
      if (seen.expected != nullptr) {
        JudgeAgainst(got, *seen.expected, expect, "the golden scores", false, findings);
      }
      break;
    case ScoreExpectation::Kind::kSameAs:
      if (seen.expected != nullptr) {
        JudgeAgainst(got, *seen.expected, expect, "the run it must agree with", true, findings);
      }
      break;
  }
  if (seen.baseline != nullptr && *seen.baseline != got) {
    const ScoreExpectation all;
    JudgeAgainst(got, *seen.baseline, all, "the run without faults", true, findings);
    if (got.size() != seen.baseline->size()) {
      Wrong(
          fmt::format("{} keys were written, {} without faults", got.size(), seen.baseline->size()),
          findings);
    }
  }
}

}  // namespace culprit::suites
