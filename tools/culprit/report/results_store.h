// SPDX-License-Identifier: Apache-2.0
//
// The raw results of a certification in an SQLite file, written row by row while it runs: what the
// certificate is computed from, and can be computed from again.
//
//   run(key, value)          what was certified and how: JSON values
//   skip(suite, what, reason)
//   scenario(number, facts)  one scenario under one setting: JSON
//   result(scenario, number, passed, calls, fired, live, end_state, only_after_others, faults,
//          findings)
#ifndef TOOLS_CULPRIT_REPORT_RESULTS_STORE_H_
#define TOOLS_CULPRIT_REPORT_RESULTS_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/group_result.h"
#include "suites/runner/shard.h"

struct sqlite3;
struct sqlite3_stmt;

namespace culprit::tools {

// Failures of SQLite and malformed rows throw std::runtime_error with file and reason, and
// InputError where the file was there before: then it is somebody's input.
class ResultsStore {
 public:
  // An empty store in place of whatever is there.
  static ResultsStore Create(const std::string& path);
  // For reading only.
  static ResultsStore Open(const std::string& path);
  ~ResultsStore();
  ResultsStore(ResultsStore&&) noexcept;
  ResultsStore& operator=(ResultsStore&&) = delete;

  void Put(const std::string& key, const nlohmann::json& value);
  void Add(const suites::Skip& skip);
  void Add(const suites::GroupResult& group);
  void Add(uint32_t group, const suites::CaseResult& result);
  // Everything that was added is in the file, and the file is closed.
  void Finish();

  nlohmann::json Get(const std::string& key) const;  // null: absent
  std::vector<suites::Skip> Skips() const;
  std::vector<suites::GroupResult> Groups() const;  // by number, without tally and failures
  using OnCase = std::function<void(const suites::CaseResult& result, bool said_to_pass)>;
  void ForEachCase(uint32_t group, const OnCase& on_case) const;  // by number
  uint64_t Cases() const;
  std::optional<bool> SaidToPass(uint32_t group, uint32_t number) const;  // empty: no such case
  // The first case of the group that is missing although the shard owes it: every n-th one from the
  // first with a fault, and case 0.
  std::optional<uint64_t> FirstGap(const suites::GroupResult& group,
                                   const suites::Shard& shard) const;
  // Of the content, in an order of its own: the same for the same results, whatever the file's
  // pages look like.
  std::string Sha256() const;

 private:
  class Statement;
  explicit ResultsStore(std::string path);
  void Execute(const char* sql);
  [[noreturn]] void Fail(const std::string& what) const;

  std::string path_;
  sqlite3* database_ = nullptr;
  bool was_there_ = false;
  std::unique_ptr<Statement> add_case_;
};

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_RESULTS_STORE_H_
