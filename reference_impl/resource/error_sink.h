// SPDX-License-Identifier: Apache-2.0
//
// Where a failure goes that no caller can be told of: an owner destroyed while its object lives, a
// rollback that failed. Recorded, never dropped, never the end of the process.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_ERROR_SINK_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_ERROR_SINK_H_

#include <string>
#include <vector>

namespace culprit::reference::error_sink {

void Record(std::string what);

// What was recorded so far in this process; thread-safe.
std::vector<std::string> Recorded();
void Clear();

}  // namespace culprit::reference::error_sink

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_ERROR_SINK_H_
