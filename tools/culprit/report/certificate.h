// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_CERTIFICATE_H_
#define TOOLS_CULPRIT_REPORT_CERTIFICATE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/culprit/report/report.h"
#include "tools/culprit/report/results_store.h"

namespace culprit::tools {

// How a certificate names what it was computed from.
struct RawResults {
  uint64_t cases = 0;
  std::string sha256;
};

// The certificate (docs/certificate.schema.json). Two runs differ in "times" only: when, how long,
// and how many kernel launches were spared.
nlohmann::ordered_json CertificateOf(const Report& report, const RawResults& raw);

// What a store holds beside groups and cases, which come to it one by one.
void StoreIdentity(const Report& report, ResultsStore* store);
// What StoreIdentity gave, and the groups as planned, without what their cases came to.
Report ReportWithoutCases(const ResultsStore& store);
// Computes everything again from the raw results. Throws std::exception where they contradict
// themselves.
Report ReportFrom(const ResultsStore& store);

// What `culprit replay` needs to run this case again.
nlohmann::ordered_json ReplayOf(const Report& report, const Failure& failure);
nlohmann::ordered_json MinimalReplayOf(const Report& report, const Failure& failure,
                                       const MinimalCase& minimal);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_CERTIFICATE_H_
