// SPDX-License-Identifier: Apache-2.0
//
// What became of the entries of an expectations file (docs/expectations.md). The raw results keep
// every failure as it was; that one was expected follows from them and from the file.
#ifndef TOOLS_CULPRIT_REPORT_EXPECTATIONS_H_
#define TOOLS_CULPRIT_REPORT_EXPECTATIONS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/expectations_file.h"
#include "suites/runner/group_result.h"

namespace culprit::tools {

struct Report;

// The severity of a failure that was expected.
inline constexpr const char* kExpected = "expected";

struct Expectations {
  suites::ExpectationsFile file;
  std::string judged_on;       // the day, UTC, for entries that expire: 2026-12-31
  std::vector<uint64_t> uses;  // by entry: cases that failed as expected

  Expectations() = default;
  Expectations(suites::ExpectationsFile of, std::string day)
      : file(std::move(of)), judged_on(std::move(day)), uses(file.waivers.size()) {}

  // Findings of the case that an entry expects no longer fail it, and say why.
  void Apply(const suites::GroupResult& group, suites::CaseResult* result);
  // The entries that say what is not to be run, and still hold.
  std::vector<suites::Waiver> NeverSupported() const;
};

nlohmann::json ToJson(const Expectations& expectations);
// Throws nlohmann::json::exception or std::invalid_argument.
Expectations ExpectationsFromJson(const nlohmann::json& json);

struct WaiverUse {
  const suites::Waiver* waiver;
  uint64_t uses;  // cases that failed as expected; 1 for something that was left out
  bool asked;     // whether the run had anything that it could apply to
  bool expired;

  bool unused() const { return asked && !expired && uses == 0; }
};
// In the order of the file; empty without one.
std::vector<WaiverUse> UseOf(const Report& report);
// Entries that nothing needed, and those whose day has passed.
std::vector<std::string> ExpectationObjections(const Report& report);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_EXPECTATIONS_H_
