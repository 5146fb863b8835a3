// SPDX-License-Identifier: Apache-2.0
// Every probe, declared once. A new probe is a file that defines its info, a line here and a line
// in registry.cc.
#pragma once

#include "stress/run/probe.h"

namespace culprit::stress {

extern const ProbeInfo kModuleLoad;

}  // namespace culprit::stress
