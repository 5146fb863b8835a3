// SPDX-License-Identifier: Apache-2.0
//
// The driver entries that end an object, by what the driver, or the interposer of another one,
// calls its kind in a finding.
#ifndef SUITES_RUNNER_RELEASING_ENTRIES_H_
#define SUITES_RUNNER_RELEASING_ENTRIES_H_

#include <span>
#include <string>
#include <string_view>

#include "suites/runner/entry_table.h"

namespace culprit::suites {

// "stream" for "stream #1, created by ...".
std::string_view KindOf(std::string_view object);

// By lookup name; none for a kind that nothing ends on its own.
std::span<const std::string_view> ReleasingEntries(std::string_view kind);

bool Releases(const std::string& entry, std::string_view kind);

// Whether no object of this kind can be released without a context. A retain of a primary context,
// for one, can.
bool ReleaseNeedsContext(const EntryTable& table, std::string_view kind);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_RELEASING_ENTRIES_H_
