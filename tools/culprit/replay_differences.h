// SPDX-License-Identifier: Apache-2.0
//
// What a case was recorded with and what it would run with now. With another suite or on a port
// that can do something else it is another case, and whether that one fails says nothing of the
// recorded failure. A port that was built anew is no difference: to see whether its failure is gone
// is what a replay is for.
#ifndef TOOLS_CULPRIT_REPLAY_DIFFERENCES_H_
#define TOOLS_CULPRIT_REPLAY_DIFFERENCES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/json_object.h"
#include "suites/runner/settings.h"

namespace culprit::tools {

// Each a sentence without its stop. Neither an empty digest nor abilities that are not there
// are compared.
std::vector<std::string> SuiteDifferences(const JsonObject& replay, const std::string& suite_file);
// `port` is the port's identity.
std::vector<std::string> PortDifferences(const JsonObject& replay, const suites::Settings& settings,
                                         const nlohmann::json& port);

// Throws InputError where there are any, unless `accepted`: then they are notes.
void DemandNoDifference(const JsonObject& replay, const std::vector<std::string>& differences,
                        bool accepted);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPLAY_DIFFERENCES_H_
