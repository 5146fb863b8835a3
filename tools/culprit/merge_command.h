// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_MERGE_COMMAND_H_
#define TOOLS_CULPRIT_MERGE_COMMAND_H_

#include <string>
#include <vector>

namespace culprit::tools {

// Joins the reports of the shards of one certification into one report. Refuses shards of different
// ports, drivers or selections, and any gap: every planned case must be in exactly one of them.
int RunMerge(const std::vector<std::string>& reports, const std::string& into);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_MERGE_COMMAND_H_
