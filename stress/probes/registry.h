// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "stress/run/probe.h"

namespace culprit::stress {

// All probes, in the order in which --all runs them.
std::span<const ProbeInfo* const> AllProbes();

// Null when there is none of that name.
const ProbeInfo* FindProbe(std::string_view name);

}  // namespace culprit::stress
