// SPDX-License-Identifier: Apache-2.0
//
// Replay files with nothing wrong, for tests to change.
#ifndef TOOLS_CULPRIT_TESTING_REPLAYS_H_
#define TOOLS_CULPRIT_TESTING_REPLAYS_H_

#include <nlohmann/json.hpp>

namespace culprit::tools {

// Of a case of a correct port, without faults and findings.
inline nlohmann::json ReplayOfTinyPort() {
  return {{"culprit_replay", 1},
          {"port", CULPRIT_TEST_PORT},
          {"build_id", ""},
          {"suite", "public_close"},
          {"suite_path", ""},
          {"suite_sha256", ""},
          {"scenario", "used"},
          {"settings",
           {{"profile", "r580"},
            {"policy", "eager"},
            {"extractors", {"tiny"}},
            {"bits", 8},
            {"threads", 0},
            {"preallocate", 0},
            {"caller", "none"},
            {"state", "primary"},
            {"seed", 1}}},
          {"case", 0},
          {"faults", nlohmann::json::array()},
          {"findings", nlohmann::json::array()}};
}

// Of a swept program, without a fault.
inline nlohmann::json ReplayOfTestProgram() {
  return {{"culprit_sweep_replay", 1},
          {"program", {CULPRIT_TEST_PROGRAM}},
          {"folder", "/"},
          {"profile", ""},
          {"policy", "timed"},
          {"limit_ms", 10000},
          {"plan", {{"faults", nlohmann::json::array()}}},
          {"consequence", "reported"},
          {"ended", "exited with 1"},
          {"new_errors", nlohmann::json::array()}};
}

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_TESTING_REPLAYS_H_
