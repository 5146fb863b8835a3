// SPDX-License-Identifier: Apache-2.0
//
// How far a driver call reaches beyond the thread that makes it. What a thread does to its own
// stack of contexts no other thread sees, and nothing that the others do changes it, except ending
// a context: elsewhere exchanging the thread at such a call leads to nothing that exchanging it at
// its next point does not.
#ifndef SUITES_INTERLEAVINGS_CALL_REACH_H_
#define SUITES_INTERLEAVINGS_CALL_REACH_H_

#include <cstdint>
#include <string_view>

namespace culprit::interleavings {

enum class CallReach : uint8_t { kOwnStack, kDriver, kEndsContext };

// `entry`: a symbol as exported.
CallReach ReachOf(std::string_view entry);

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_CALL_REACH_H_
