// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_FINDING_H_
#define SUITES_RUNNER_FINDING_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::suites {

// What is wrong with a subject, whoever noticed: the driver's audit or one of the runner's oracles.
// The id names the rule and has a page in docs/findings/.
struct Finding {
  std::string id;
  std::string severity = "error";  // "error", "warning", "note"; only errors fail a case
  std::string message;
  std::string step;  // what the subject was doing
  nlohmann::json details =
      nlohmann::json::object();  // call, entry, handle, object, thread, stack, ...

  bool IsError() const { return severity == "error"; }
};

inline nlohmann::json ToJson(const Finding& finding) {
  nlohmann::json json = finding.details;
  json["id"] = finding.id;
  json["severity"] = finding.severity;
  json["message"] = finding.message;
  if (!finding.step.empty()) json["step"] = finding.step;
  return json;
}

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_FINDING_H_
