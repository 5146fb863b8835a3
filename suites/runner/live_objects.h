// SPDX-License-Identifier: Apache-2.0
//
// The counters of culprit_live by name, as suites and reports spell them.
#ifndef SUITES_RUNNER_LIVE_OBJECTS_H_
#define SUITES_RUNNER_LIVE_OBJECTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakedriver/control/control.h"

namespace culprit::suites {

const std::vector<std::string>& LiveKinds();
// Empty for a kind that culprit_live does not have.
std::optional<uint64_t> LiveCount(const culprit_live& live, std::string_view kind);
// "streams 1, events 2"; "nothing".
std::string LiveText(const culprit_live& live);
// Whether anything is left that a subject must release: everything but bytes and orphans.
bool NothingLive(const culprit_live& live);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_LIVE_OBJECTS_H_
