// SPDX-License-Identifier: Apache-2.0
//
// What the command asks of the host, and the lines the host answers with. The host is a process of
// its own because the library path that puts the driver under the port must be set before it
// starts.
//
// Answers are JSON lines on a descriptor of their own, so that whatever the port prints cannot
// disturb them; "type" is one of: loading (the port is), identity (it was), skip, progress, case
// (with the number of its group), group, sites, minimal, failed (with "reason", and whether the
// "input" is to blame), done.
#ifndef SUITES_RUNNER_REQUEST_H_
#define SUITES_RUNNER_REQUEST_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/certification.h"
#include "suites/runner/fault.h"
#include "suites/runner/settings.h"

namespace culprit::suites {

struct HostRequest {
  std::string port;
  std::vector<std::string> suites;  // paths
  Selection selection;
  Shard shard;
  size_t jobs = 2;
  std::string clips;
  std::string golden;
  std::optional<ReplayRequest> replay;
  // Findings of the replay, the first one first: look for the smallest case that has the first and
  // no others than these. Empty: run the replay as it is.
  std::vector<std::string> minimize;
  std::string stop_at;
  bool all_singles = false;
  bool pairs = false;
  bool reuse_launches = true;
  std::vector<Rerun> only;
  std::vector<Waiver> never_supported;
};

nlohmann::json ToJson(const HostRequest& request);
// Throws nlohmann::json::exception or std::invalid_argument.
HostRequest HostRequestFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_REQUEST_H_
