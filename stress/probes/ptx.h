// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace culprit::stress {

// A small module as PTX text: the kernel `add_one(.u64 data, .u32 count)`, which adds `addend` to
// each of `count` words, and a global table of `table_bytes`. Different addends give different
// images.
std::string SmallModule(int addend = 1, size_t table_bytes = 4096);

inline constexpr char kSmallKernel[] = "add_one";
inline constexpr char kSmallTable[] = "table";

}  // namespace culprit::stress
