// SPDX-License-Identifier: Apache-2.0
// Runs a sequence and writes down what the driver answered, one line a step:
// "name|step|text|result|values".
#ifndef SUITES_DRIVER_ATLAS_EXECUTE_H_
#define SUITES_DRIVER_ATLAS_EXECUTE_H_

#include <functional>
#include <string>
#include <vector>

#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {

// In this process. `emit` gets each line, without its end, as soon as the driver has answered.
void Execute(const Sequence& sequence, const std::function<void(const std::string&)>& emit);

// In a child of its own, forked before cuInit. Where the child crashes or hangs, the lines up to
// there are kept and a last one says "SIGNAL n" or "TIMEOUT".
std::vector<std::string> ExecuteIsolated(const Sequence& sequence, int timeout_seconds);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_EXECUTE_H_
