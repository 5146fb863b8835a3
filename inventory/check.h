// SPDX-License-Identifier: Apache-2.0
// The checker as a function: sources and a contract in, a report out. The command line is one
// caller, tests are another.
//
// Stages: every file is scanned for what all files need to know (macros, who reaches the driver);
// then each file is checked by itself, which also yields its facts; then the facts of all files are
// held against the contract.
#ifndef CULPRIT_INVENTORY_CHECK_H_
#define CULPRIT_INVENTORY_CHECK_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/report/finding.h"
#include "inventory/rules/file_result.h"
#include "inventory/rules/file_view.h"
#include "inventory/suppress/baseline.h"

namespace culprit::inventory {

// A file that is named like a source and holds something else.
struct NoSource {
  std::string path;
  std::string reason;
};

// What the checker reads of a tree.
struct Tree {
  std::vector<SourceFile> sources;
  std::vector<SourceFile> build_files;
  std::vector<NoSource> no_sources;
};

struct Report {
  std::vector<Finding> findings;
  std::vector<FileFacts> files;
  std::vector<NoSource> not_checked;
  size_t lines = 0;
  size_t from_cache = 0;  // files whose result was kept from an earlier run
};

// Throws InputError when `root` cannot be read.
Tree ReadTree(const std::filesystem::path& root, const Contract& contract);

// How much of a file is parsed: the declarations in which a rule could find something, or, to hold
// that choice to its promise, everything. The findings are the same.
enum class Extent : uint8_t { kWhereItMatters, kEverything };

struct CheckOptions {
  Baseline baseline;
  std::string today = "0000-00-00";    // ISO date, for expiry; by default nothing has expired
  std::filesystem::path cache_folder;  // empty: nothing is kept between runs
  Extent extent = Extent::kWhereItMatters;
};

Report CheckTree(const Tree& tree, const Contract& contract, const CheckOptions& options = {});

// The stages, for callers who have a file rather than a tree.
Vocabulary CollectVocabulary(const Tree& tree, const Contract& contract);

FileResult CheckFile(const SourceFile& file, const Contract& contract, const Vocabulary& vocabulary,
                     Extent extent = Extent::kWhereItMatters);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CHECK_H_
