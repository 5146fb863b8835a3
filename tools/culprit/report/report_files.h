// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
#define TOOLS_CULPRIT_REPORT_REPORT_FILES_H_

#include <string>

#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report.h"
#include "tools/culprit/report/results_store.h"

namespace culprit::tools {

// Writes certificate.json, results.jsonl, junit.xml, findings.sarif, report.html and replays/ into
// `folder`, which is made when it is missing; replays of an earlier run are removed. Throws
// std::runtime_error that names the file.
// Every file but the raw results, which are in `folder` already and which `raw` describes. Throws
// std::runtime_error.
void WriteReportFiles(const Report& report, const RawResults& raw, const std::string& folder);

// Makes the folder and gives the raw results their place in it.
ResultsStore CreateResults(const std::string& folder);
std::string ResultsPath(const std::string& folder);

// Throws std::runtime_error.
std::string ReadTextFile(const std::string& path);
void WriteTextFile(const std::string& path, const std::string& text);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
