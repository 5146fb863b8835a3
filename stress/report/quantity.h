// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "stress/sample/resource.h"

namespace culprit::stress {

// An amount of a resource for people: "25.1 KiB", "640 B", "1.00".
std::string Amount(Resource resource, double value);

}  // namespace culprit::stress
