// SPDX-License-Identifier: Apache-2.0
//
// Everything a certification found out, before it is written in any format. The writers are
// functions of it, and it can be read back from the raw results, so that a certificate can be
// checked against them.
#ifndef TOOLS_CULPRIT_REPORT_REPORT_H_
#define TOOLS_CULPRIT_REPORT_REPORT_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/group_result.h"
#include "suites/runner/teardown_sites.h"
#include "tools/culprit/report/expectations.h"
#include "tools/culprit/report/test_case.h"

namespace culprit::tools {

struct SuiteIdentity {
  std::string name;
  uint32_t version = 1;
  std::string title;
  std::string sha256;
  std::string path;                     // where it was read from; not part of the certificate
  std::vector<std::string> rules = {};  // of the policy, that it is evidence for
};

// The smallest case that was found to fail in the way of another one.
struct MinimalCase {
  suites::Settings settings;
  std::vector<suites::Fault> faults;
  uint32_t index = 0;
  uint32_t limit = 0;  // frames of the clip, from the first; 0: all of them
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t frames = 0;  // that the case has
  suites::CaseResult result;
  uint32_t tries = 0;
  TestCaseText test_case;
};

struct Report {
  nlohmann::json identity;   // port, driver and settings, as the host told
  nlohmann::json selection;  // what the command line asked for
  std::vector<SuiteIdentity> suites;
  std::vector<suites::GroupResult> groups;
  std::vector<suites::Skip> skips;
  suites::TeardownSites sites;  // where the subject destroys things
  std::string host_failure;     // why the host stopped early; empty: it did not
  std::optional<Expectations> expectations;
  std::map<std::string, MinimalCase> minimal;  // by the replay file of the failure
  std::string version = CULPRIT_VERSION;       // of the culprit that made it
  std::string started;                         // UTC
  double seconds = 0;

  // Why this is no certificate; empty: it is one.
  std::vector<std::string> Objections() const;
  // Whether that the group was abandoned is one of them.
  bool Objects(const suites::GroupResult& group) const;
  bool certified() const { return Objections().empty(); }
  // What was left out, with the sweeps of scenarios that fail as expected.
  std::vector<suites::Skip> NotRun() const;
};

// One line of the table: a suite under a profile.
struct Row {
  std::string suite;
  std::string profile;
  uint64_t cases = 0;
  uint64_t passed = 0;
  uint64_t failed = 0;
  uint64_t unreached = 0;
  uint64_t calls = 0;
  uint64_t fired = 0;
  uint64_t launches = 0;
  uint64_t launches_reused = 0;
};
std::vector<Row> RowsOf(const Report& report);

// The fault space of one scenario under one setting, and what was found in it.
struct Coverage {
  const suites::GroupResult* group;
  std::vector<suites::LeftOut> singles_left_out;  // of the plan and of the run
  std::vector<suites::LeftOut> pairs_left_out;

  bool singles_exhaustive() const { return singles_left_out.empty(); }
  bool pairs_exhaustive() const {
    return group->space->pairs_wanted && singles_left_out.empty() && pairs_left_out.empty();
  }
};
// Only scenarios that sweep and whose run without faults passed.
std::vector<Coverage> CoverageOf(const Report& report);

// A case that failed, with the place of its replay file inside the report.
struct Failure {
  const suites::GroupResult* group;
  const suites::CaseResult* result;
  std::string replay;  // "replays/close-0001.json"
};
std::vector<Failure> FailuresOf(const Report& report);

// "replays/close-0001.json" -> "replays/close-0001.min.json" and "replays/close-0001_test.cc"
std::string MinimalReplayOf(const std::string& replay);
std::string TestCaseFileOf(const std::string& replay);

// Failures that agree in suite, finding, step and driver entry.
struct FailureKind {
  Failure first;
  const suites::Finding* finding;
  uint64_t cases = 0;
};
std::vector<FailureKind> KindsOfFailures(const Report& report);

// Kinds that come down to one case, which are most likely one mistake: those whose smallest case is
// the same and has the findings of them all. One alone where none was looked for.
std::vector<std::vector<FailureKind>> KindsByCase(const Report& report);
// The smallest case of a kind; null: none was found that has its finding.
const MinimalCase* MinimalOf(const Report& report, const FailureKind& kind);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_REPORT_H_
