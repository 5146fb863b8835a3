// SPDX-License-Identifier: Apache-2.0
// Results of files that did not change. A result depends on the file, the contract, this program,
// and what the rest of the tree says about the names that the file uses; the key is a hash of all
// of it, so a stale entry is never found.
#ifndef CULPRIT_INVENTORY_CACHE_RESULT_CACHE_H_
#define CULPRIT_INVENTORY_CACHE_RESULT_CACHE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "inventory/rules/file_result.h"
#include "inventory/rules/file_view.h"

namespace culprit::inventory {

class ResultCache {
 public:
  // An empty folder name makes a cache that keeps nothing.
  explicit ResultCache(std::filesystem::path folder);

  bool enabled() const { return !folder_.empty(); }
  uint64_t KeyOf(const SourceFile& file, const Contract& contract, const Vocabulary& vocabulary,
                 const Lexed& lexed) const;

  // A damaged entry counts as none.
  std::optional<FileResult> Find(uint64_t key) const;
  void Store(uint64_t key, const FileResult& result) const;

 private:
  std::filesystem::path PathOf(uint64_t key) const;

  std::filesystem::path folder_;
  uint64_t program_ = 0;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CACHE_RESULT_CACHE_H_
