// SPDX-License-Identifier: Apache-2.0
//
// A suite as read from YAML (docs/write_a_suite.md). It is data and nothing else: what runs is the
// product of its matrix, its scenarios and, for a scenario with a sweep, of every fault that the
// sweep plans.
#ifndef SUITES_RUNNER_SUITE_H_
#define SUITES_RUNNER_SUITE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suites/runner/fault.h"
#include "suites/runner/settings.h"
#include "suites/runner/suite_error.h"

namespace culprit::suites {

// In the order of a life cycle.
enum class StepKind : uint8_t {
  kStateInit,
  kOpen,
  kUse,
  kImport,
  kPreallocate,
  kFetch,
  kSubmit,
  kFlush,
  kScores,
  kClose,
  kStateFree,
  kOperate,
};
const char* NameOf(StepKind kind);
std::optional<StepKind> StepKindOf(const std::string& name);
// Close, state free and the release of an operated instance: they run after a failed step too.
bool IsTeardown(StepKind kind);

// What a step must fail with: a CUresult by name, or an errno by name ("EINVAL").
struct ExpectedFailure {
  std::string name;
  int32_t cu_result = 0;
  int32_t error = 0;
};

struct Step {
  StepKind kind = StepKind::kOpen;
  SourcePosition where;
  uint32_t thread =
      0;  // 0: the thread that runs the life cycle; k: a further thread of the harness
  uint32_t first_frame = 0;
  uint32_t frame_count = UINT32_MAX;  // clipped to the clip
  uint32_t pictures = 0;              // preallocate; 0: what the settings say
  std::string operation;
  Options options;
  bool until_zero = true;  // repeat a failed release, lifting sticky faults, until it returns zero
  std::optional<ExpectedFailure> fails_with;
};

struct ReportedError {
  int32_t result = 0;
  std::string entry;             // empty: any
  std::optional<StepKind> step;  // absent: any
};

struct ScoreExpectation {
  enum class Kind : uint8_t { kNone, kGolden, kSameAs, kConstant };
  Kind kind = Kind::kNone;
  nlohmann::json same_as;                        // settings to replace, for kSameAs
  std::map<std::string, std::string> same_keys;  // key here -> key there, where they differ
  double constant = 0;
  std::vector<std::string> keys;  // empty: all keys
};

struct CallExpectation {
  std::vector<std::string> in_order;          // entries that occur in this order, others between
  std::vector<std::string> absent;            // entries that do not occur
  std::vector<std::string> after_fault_only;  // the only entries allowed after the first fault
  std::map<std::string, uint64_t> count;
};

struct Expectations {
  std::map<std::string, uint64_t> live;  // kind of culprit_live -> number at the end
  std::vector<std::string> findings;     // exactly these ids, each at least once; usually none
  std::optional<ReportedError> reported;
  ScoreExpectation scores;
  CallExpectation calls;
  bool steady = false;         // the same live objects and bytes after each cycle
  bool warnings_fail = false;  // a warning of the driver's audit fails the case, too
};

struct Sweep {
  enum class Results : uint8_t { kOne, kDocumented };
  Results results = Results::kOne;
  std::vector<FaultWhen> when = {FaultWhen::kBefore};
  std::vector<FaultSpan> span = {FaultSpan::kOnce};
  std::vector<StepKind> during;  // empty: calls of every step
  SourcePosition during_where;   // absent like `during`
  // Faults that follow the swept one: the next call of that entry after it, so that clean-up fails
  // as well. A case for each.
  std::vector<Fault> followed_by;
  // Every fault of the sweep at every call that is made after it, too; see PairsPlan.
  bool pairs = false;
};

struct ClipChoice {
  std::string name;  // of a clip file; empty: a pattern of the size below
  SourcePosition where = {};
  uint32_t width = 32;
  uint32_t height = 32;
  uint32_t frames = 4;
};

struct Matrix {
  // Each item is a list of names, or one word: "each" (every GPU extractor alone), "all" (every GPU
  // extractor together), "some" (the first kSome of them: a sweep grows with the square of the
  // calls).
  static constexpr size_t kSome = 3;
  std::vector<std::vector<std::string>> extractors = {{"all"}};
  std::vector<uint32_t> bits = {8};
  std::vector<uint32_t> threads = {0};
  std::vector<uint32_t> preallocate = {0};
  std::vector<CallerContext> caller = {CallerContext::kNone};
  std::vector<StateContext> state = {StateContext::kPrimary};
};

struct Scenario {
  std::string name;
  SourcePosition where;
  std::vector<Fault> faults;
  std::vector<Step> steps;
  Expectations expect;
  std::optional<Sweep> sweep;
  uint32_t cycles = 1;
  std::optional<Matrix> matrix;  // in place of the suite's
  std::optional<ClipChoice> clip;
};

// What a subject must offer; without it the suite is skipped, with the reason.
struct Requirements {
  enum class Kind : uint8_t { kExtractor, kOperations };
  Kind kind = Kind::kExtractor;
  std::vector<std::string> abilities;   // "threads", "preallocate", ...
  std::vector<std::string> operations;  // of a kOperations subject
};

struct Suite {
  std::string name;
  uint32_t version = 1;
  std::string title;
  std::vector<std::string> rules = {};  // of the policy, that it is evidence for
  std::string path;
  std::string sha256;
  Requirements subject;
  std::vector<std::string> profiles = {"r580", "strict"};
  std::vector<std::string> policies = {"eager"};
  ClipChoice clip;
  Matrix matrix;
  std::vector<Scenario> scenarios;
  uint32_t timeout_s = 30;  // of one life cycle; longer is a hang
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SUITE_H_
