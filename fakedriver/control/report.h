// SPDX-License-Identifier: Apache-2.0
//
// What the fake knows, as JSON: the texts of the control table and the report that a process leaves
// behind.
#ifndef FAKEDRIVER_CONTROL_REPORT_H_
#define FAKEDRIVER_CONTROL_REPORT_H_

#include <string>

namespace culprit::fakedriver::control {

std::string IdentityAsJson();
std::string FindingsAsJson();
std::string LiveObjectsAsJson();
std::string CallLogAsJson();
std::string UnfiredFaultsAsJson();
std::string ApiTableAsJson();

// The path of the shared object that this code is part of, as mapped.
std::string OwnPath();

// Everything that is left of the process: settings, counts, live objects, unfired faults and
// findings.
std::string ReportAsJson();

}  // namespace culprit::fakedriver::control

#endif  // FAKEDRIVER_CONTROL_REPORT_H_
