// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_HOST_PROCESS_H_
#define TOOLS_CULPRIT_HOST_PROCESS_H_

#include <chrono>
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

// Of its own time, that a port may take to be loaded, and the host to end when its work is done.
inline constexpr std::chrono::milliseconds kHostLimit{60000};

// Runs a host program on a request with the driver of `driver_folder` first in its library path,
// and hands over its answers as they come. Returns why it could not do its work; empty when it came
// to its end. Throws InputError when the port, which must be the request's "port", or a suite is to
// blame: a port that crashes, ends the process or hangs while it is loaded is killed and named.
std::string RunHost(const std::string& host, const std::string& driver_folder,
                    const nlohmann::json& request,
                    const std::function<void(const nlohmann::json&)>& on_answer,
                    std::chrono::milliseconds limit = kHostLimit);

// The same for culprit-host.
inline std::string RunHost(const std::string& host, const std::string& driver_folder,
                           const suites::HostRequest& request,
                           const std::function<void(const nlohmann::json&)>& on_answer) {
  return RunHost(host, driver_folder, suites::ToJson(request), on_answer);
}

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_HOST_PROCESS_H_
