// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
#define TOOLS_CULPRIT_REPORT_REPORT_FILES_H_

#include <string>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// Writes certificate.json, results.jsonl, junit.xml, findings.sarif, report.html and replays/ into
// `folder`, which is made when it is missing; replays of an earlier run are removed. Throws
// std::runtime_error that names the file.
void WriteReportFiles(const Report& report, const std::string& folder);

// Throws std::runtime_error.
std::string ReadTextFile(const std::string& path);
void WriteTextFile(const std::string& path, const std::string& text);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
