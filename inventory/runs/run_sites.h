// SPDX-License-Identifier: Apache-2.0
// What a certificate's runs saw of each call site: the `culprit.sites/1` file that
// `culprit certify` writes. docs/sites.schema.json is its schema.
#ifndef CULPRIT_INVENTORY_RUNS_RUN_SITES_H_
#define CULPRIT_INVENTORY_RUNS_RUN_SITES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "input/input_error.h"
#include "inventory/driver/entries.h"

namespace culprit::inventory {

// As debug information names it.
struct Frame {
  std::string file;      // absolute, or relative to somewhere; empty: unknown
  uint32_t line = 0;     // 0: unknown
  std::string function;  // demangled; empty: unknown
};

struct RunSite {
  const DriverEntry* entry;
  std::vector<Frame> frames;  // the call itself, then its callers, innermost first
  uint64_t runs = 0;          // calls
  uint64_t failed = 0;        // calls that answered an error
  uint64_t retried = 0;       // calls for an object whose earlier release had failed
};

// Throws InputError that names the file, the line or the site, and what is wrong with it. Sites of
// entries that the driver table does not have are errors, too.
std::vector<RunSite> ParseRunSites(const std::string& text, const std::string& path);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RUNS_RUN_SITES_H_
