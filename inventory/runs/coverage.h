// SPDX-License-Identifier: Apache-2.0
// Teardown sites that the sources have, held against those that runs have seen: which were never
// run, never made to fail, never tried again after a failure.
//
// A site of a run belongs to the site of the sources with the same entry whose statement holds its
// line, in the file whose path ends alike; failing that, to the only site with that entry in the
// function that it names. A call made by a wrapper is looked for along its callers.
#ifndef CULPRIT_INVENTORY_RUNS_COVERAGE_H_
#define CULPRIT_INVENTORY_RUNS_COVERAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <vector>

#include "inventory/rules/facts.h"
#include "inventory/runs/run_sites.h"

namespace culprit::inventory {

struct CoveredSite {
  TeardownSite site;
  uint64_t runs = 0, failed = 0, retried = 0;

  bool complete() const { return runs != 0 && failed != 0 && retried != 0; }
};

struct Coverage {
  std::vector<CoveredSite> sites;  // all that the sources have, in file order
  std::vector<RunSite> unknown;    // destroying calls of the runs that belong to none of them
};

Coverage CoverageOf(const std::vector<FileFacts>& files, const std::vector<RunSite>& runs);

// The sites that lack something, then the sums.
void WriteCoverage(const Coverage& coverage, std::ostream& out);

// {"sites": [...], "unknown": [...]}; docs/inventory/reports.md describes it.
nlohmann::json ToJson(const Coverage& coverage);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RUNS_COVERAGE_H_
