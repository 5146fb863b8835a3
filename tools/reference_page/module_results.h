// SPDX-License-Identifier: Apache-2.0
//
// What the suites found of every owner of modules, taken from the raw results of a certification
// and kept as data: `reference_impl/certified.json`.
#ifndef TOOLS_REFERENCE_PAGE_MODULE_RESULTS_H_
#define TOOLS_REFERENCE_PAGE_MODULE_RESULTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit::tools {

// Life cycles of one suite in which one extractor took part.
struct SuiteResult {
  uint64_t life_cycles = 0;
  uint64_t failed = 0;
  // Of each module, in the order they are loaded in: life cycles of the extractor alone, serial, in
  // which that module's load or unload was made to fail.
  std::vector<uint64_t> module_faults;
};

// What was run of one suite.
struct SuiteRun {
  uint32_t version = 0;
  uint64_t life_cycles = 0;
  std::string driver;    // name and version
  std::string build_id;  // of the port
};

struct ModuleResults {
  std::map<std::string, SuiteRun> suites;
  std::map<std::string, std::map<std::string, SuiteResult>> of_extractor;  // by suite
};

// Of results.db files: a suite's results are those of the last file that has it. Throws
// std::runtime_error that names the file.
ModuleResults TakeResults(const std::vector<std::string>& store_paths);

// Both throw std::runtime_error that names the file.
ModuleResults ReadResults(const std::string& path);
void WriteResults(const std::string& path, const ModuleResults& results);

}  // namespace culprit::tools

#endif  // TOOLS_REFERENCE_PAGE_MODULE_RESULTS_H_
