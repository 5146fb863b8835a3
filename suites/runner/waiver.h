// SPDX-License-Identifier: Apache-2.0
//
// A waiver is an entry of an expectations file (docs/expectations.md): something that a port never
// supports, and that is not run, or a failure that is known, and that fails nothing. Each has a
// reason; an entry that nothing needed, and one whose day has passed, fail the certification.
#ifndef SUITES_RUNNER_WAIVER_H_
#define SUITES_RUNNER_WAIVER_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/finding.h"
#include "suites/runner/group_result.h"
#include "suites/runner/settings.h"
#include "suites/runner/suite_error.h"

namespace culprit::suites {

enum class WaiverList : uint8_t { kNeverSupported, kExpectedToFail };
const char* NameOf(WaiverList list);

struct Waiver {
  WaiverList list = WaiverList::kNeverSupported;
  SourcePosition where;
  // What it is about; empty: any.
  std::string suite;  // never empty
  std::string scenario;
  std::string profile;
  std::string policy;
  std::string extractor;  // one of those that the run uses
  // Only of an expected failure: the finding, never empty, and the driver entry that it names.
  std::string finding;
  std::string entry;

  std::string reason;
  std::string expires;  // the last day on which it holds, 2026-12-31; empty: for good

  bool Covers(const std::string& of_suite, const std::string& of_scenario,
              const Settings& settings) const;
  bool Covers(const Finding& made) const;
  bool ExpiredOn(const std::string& day) const { return !expires.empty() && expires < day; }
  // "scenario swept, profile strict"; empty for the suite as a whole.
  std::string What() const;
  // How what is not run because of it appears among what was left out.
  Skip AsSkip() const;
};

nlohmann::json ToJson(const Waiver& waiver);
// Throws nlohmann::json::exception or std::invalid_argument.
Waiver WaiverFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_WAIVER_H_
