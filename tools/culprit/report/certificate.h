// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_CERTIFICATE_H_
#define TOOLS_CULPRIT_REPORT_CERTIFICATE_H_

#include <nlohmann/json.hpp>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// The certificate (docs/certificate.schema.json). Two runs differ in "times" only.
nlohmann::ordered_json CertificateOf(const Report& report, const std::string& raw_sha256);

// The raw results: a line for the identity and selection, then one for each skip and group. What
// the certificate says follows from them.
std::string RawResultsOf(const Report& report);
// Reads them back. Throws std::runtime_error that names the line.
Report ReportFromRawResults(const std::string& text);

// What `culprit replay` needs to run this case again.
nlohmann::ordered_json ReplayOf(const Report& report, const Failure& failure);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_CERTIFICATE_H_
