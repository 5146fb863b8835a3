// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_SWEEP_REPLAY_H_
#define TOOLS_CULPRIT_SWEEP_REPLAY_H_

#include <cstdint>

#include "input/json_object.h"
#include "tools/culprit/installation.h"

namespace culprit::tools {

// Whether it is a replay file of a sweep over a program, not of a certification.
bool IsSweepReplay(const JsonObject& replay);

// Runs the program again with the fault that it met, up to `tries` times, until it ends as
// recorded. kFindings when it crashed, hung, leaked or misused the driver. Throws InputError for a
// file that cannot be used.
int ReplaySweep(const Installation& installation, const JsonObject& replay, uint32_t tries,
                bool json);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_SWEEP_REPLAY_H_
