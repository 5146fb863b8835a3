// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_HOST_PROCESS_H_
#define TOOLS_CULPRIT_HOST_PROCESS_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "suites/runner/request.h"

namespace culprit::tools {

// As exec and posix_spawn take arguments and environments: into `texts`, a null pointer last.
std::vector<char*> Pointers(std::vector<std::string>& texts);

// The environment of a program that is to find the driver of `driver_folder` first, whatever else
// is set.
std::vector<std::string> EnvironmentWithDriver(
    const std::string& driver_folder, const std::vector<std::pair<std::string, std::string>>& set);

// Runs a host program on a request with the driver of `driver_folder` first in its library path,
// and hands over its answers as they come. Returns why it could not do its work; empty when it came
// to its end.
std::string RunHost(const std::string& host, const std::string& driver_folder,
                    const nlohmann::json& request,
                    const std::function<void(const nlohmann::json&)>& on_answer);

// The same for culprit-host.
inline std::string RunHost(const std::string& host, const std::string& driver_folder,
                           const suites::HostRequest& request,
                           const std::function<void(const nlohmann::json&)>& on_answer) {
  return RunHost(host, driver_folder, suites::ToJson(request), on_answer);
}

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_HOST_PROCESS_H_
