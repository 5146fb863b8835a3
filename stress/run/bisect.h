// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace culprit::stress {

// Which parts of a cycle are to blame, when the whole leaks.
//
// Delta debugging (Zeller and Hildebrandt 2002) over the pairs of a cycle: parts of the list are
// run until none can be left out without the leak going away. What is found is left out, and the
// rest is searched again while it still leaks, so that independent leaks are all named.

// needs[i] are the pairs, before i, that take part whenever i does.
using Needs = std::vector<std::vector<size_t>>;

// Whether the cycle of these pairs, and of what they need, leaks.
using LeaksWith = std::function<bool(std::span<const size_t> pairs)>;

// Groups of pairs that leak; each group is minimal, most have one member. Empty when the whole does
// not leak.
std::vector<std::vector<size_t>> FindGuilty(const Needs& needs, const LeaksWith& leaks_with);

}  // namespace culprit::stress
