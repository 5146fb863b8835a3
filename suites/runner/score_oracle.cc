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

constexpr const char* kNothingWritten = "no score was written, so nothing was compared";

bool WroteAny(const std::vector<ScoreSeries>& scores) {
  const auto has_value = [](const std::optional<double>& value) { return value.has_value(); };
  return std::any_of(scores.begin(), scores.end(), [&](const ScoreSeries& series) {
    return std::any_of(series.values.begin(), series.values.end(), has_value);
  });
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
  if (compared == 0) Wrong(kNothingWritten, findings);
}

// Against the scores of another source; `lacking` says that it has none.
void JudgeOther(const Observation& seen, const char* what, bool all_of_ours, const char* lacking,
                Findings* findings) {
  if (seen.settings.extractors.empty()) return;  // a port that has none of that kind scores nothing
  if (!WroteAny(seen.record.scores)) return Wrong(kNothingWritten, findings);
  if (seen.expected == nullptr || !WroteAny(*seen.expected)) return Wrong(lacking, findings);
  JudgeAgainst(seen.record.scores, *seen.expected, seen.scenario.expect.scores, what, all_of_ours,
               findings);
}

void JudgeExpected(const Observation& seen, Findings* findings) {
  const ScoreExpectation& expect = seen.scenario.expect.scores;
  switch (expect.kind) {
    case ScoreExpectation::Kind::kNone:
      break;
    case ScoreExpectation::Kind::kConstant:
      JudgeConstant(seen.record.scores, expect, findings);
      break;
    case ScoreExpectation::Kind::kGolden:
      JudgeOther(seen, "the golden scores", false,
                 "no golden scores of this clip are known, so nothing was compared", findings);
      break;
    case ScoreExpectation::Kind::kSameAs:
      JudgeOther(seen, "the run it must agree with", true,
                 "the run it must agree with wrote no score, so nothing was compared", findings);
      break;
  }
}

}  // namespace

void JudgeScores(const Observation& seen, Findings* findings) {
  if (!ClaimsSuccess(seen.record)) return;
  if (!seen.record.scores_read) {
    // A step that could not run has a finding of its own.
    if (seen.record.completed && seen.scenario.expect.scores.kind != ScoreExpectation::Kind::kNone)
      Wrong("no score was read, so nothing was compared: the steps have no 'scores'", findings);
    return;
  }
  const std::vector<ScoreSeries>& got = seen.record.scores;
  if (got.empty() && !seen.settings.extractors.empty()) return Wrong("no score at all", findings);
  JudgeExpected(seen, findings);
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
