// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
#define TOOLS_CULPRIT_REPORT_REPORT_FILES_H_

#include <string>

#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report.h"
#include "tools/culprit/report/results_store.h"

namespace culprit::tools {

// Every file of a report but the raw results, which are in `folder` already and which `raw`
// describes. Throws std::runtime_error that names the file.
void WriteReportFiles(const Report& report, const RawResults& raw, const std::string& folder);

// Makes the folder, removes the report of an earlier run from it and gives the raw results their
// place in it. Throws InputError.
ResultsStore CreateResults(const std::string& folder);
std::string ResultsPath(const std::string& folder);

// Throws std::runtime_error.
void WriteTextFile(const std::string& path, const std::string& text);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_REPORT_FILES_H_
