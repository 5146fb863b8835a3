// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::stress {

// A small module as PTX text: the kernel `add_one(.u64 data, .u32 count)`, which adds `addend` to
// each of `count` words, and a global table. Different addends give different images.
std::string SmallModule(int addend = 1);

inline constexpr char kSmallKernel[] = "add_one";

}  // namespace culprit::stress
