// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/results_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "input/input_error.h"
#include "input/text_file.h"
#include "suites/runner/digest.h"

namespace culprit::tools {
namespace {

// Durability is of no use: a run that is cut short is run again.
constexpr const char* kTables = R"(
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE skip(suite TEXT NOT NULL, what TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE scenario(number INTEGER PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE result(
  scenario INTEGER NOT NULL, number INTEGER NOT NULL, passed INTEGER NOT NULL, calls INTEGER NOT NULL,
  fired TEXT NOT NULL, live TEXT NOT NULL, end_state INTEGER NOT NULL,
  only_after_others INTEGER NOT NULL, faults TEXT NOT NULL, findings TEXT, PRIMARY KEY(scenario, number)) WITHOUT ROWID;
BEGIN;
)";

constexpr const char* kCaseColumns =
    "number, passed, calls, fired, live, end_state, only_after_others, faults, findings";

template <typename List, typename Text>
std::string Joined(const List& list, const char* separator, const Text& text) {
  std::string joined;
  for (const auto& item : list) joined += (joined.empty() ? "" : separator) + text(item);
  return joined;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// Only of our own texts the words are for people.
std::string WhatIsWrong(const std::exception& error) {
  return dynamic_cast<const InputError*>(&error) != nullptr ? error.what()
                                                            : "is not as culprit writes it";
}

std::string FindingsText(const suites::CaseResult& result) {
  if (result.findings.empty()) return {};
  nlohmann::json findings = nlohmann::json::array();
  for (const suites::Finding& finding : result.findings) findings.push_back(ToJson(finding));
  return findings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

class ResultsStore::Statement {
 public:
  Statement(const ResultsStore& store, const std::string& sql) : store_(store) {
    if (sqlite3_prepare_v2(store.database_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) {
      store.Fail(sqlite3_errmsg(store.database_));
    }
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& Bind(int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
  }
  Statement& Bind(const std::string& value) {
    sqlite3_bind_text(statement_, ++bound_, value.data(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Statement& BindNull() {
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
  }
  // False: no further row.
  bool Step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) store_.Fail(sqlite3_errmsg(store_.database_));
    return code == SQLITE_ROW;
  }
  void Run() {
    Step();
    sqlite3_reset(statement_);
    bound_ = 0;
  }
  int64_t Integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string Text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr
               ? std::string()
               : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  const ResultsStore& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

ResultsStore::ResultsStore(std::string path) : path_(std::move(path)) {}

void ResultsStore::Fail(const std::string& what) const {
  const std::string text = fmt::format("{}: {}", path_, what);
  if (was_there_) throw InputError(text);
  throw std::runtime_error(text);
}

void ResultsStore::Execute(const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(database_, sql, nullptr, nullptr, &message) == SQLITE_OK) return;
  const std::string reason = message != nullptr ? message : "unknown error";
  sqlite3_free(message);
  Fail(reason);
}

ResultsStore ResultsStore::Create(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  ResultsStore store(path);
  DemandWritable(path);
  if (sqlite3_open(path.c_str(), &store.database_) != SQLITE_OK) store.Fail("cannot be created");
  store.Execute(kTables);
  return store;
}

ResultsStore ResultsStore::Open(const std::string& path) {
  ResultsStore store(path);
  store.was_there_ = true;
  if (!std::filesystem::is_regular_file(path)) store.Fail("cannot be read");
  if (sqlite3_open_v2(path.c_str(), &store.database_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
    store.Fail("cannot be opened");
  }
  return store;
}

ResultsStore::ResultsStore(ResultsStore&& other) noexcept
    : path_(std::move(other.path_)),
      database_(std::exchange(other.database_, nullptr)),
      was_there_(other.was_there_) {
  other.add_case_.reset();
}

ResultsStore::~ResultsStore() {
  add_case_.reset();
  if (database_ != nullptr) sqlite3_close(database_);
}

void ResultsStore::Finish() {
  add_case_.reset();
  Execute("COMMIT;");
  sqlite3_close(database_);
  database_ = nullptr;
}

void ResultsStore::Put(const std::string& key, const nlohmann::json& value) {
  Statement(*this, "INSERT OR REPLACE INTO run VALUES(?, ?)").Bind(key).Bind(value.dump()).Run();
}

void ResultsStore::Add(const suites::Skip& skip) {
  Statement(*this, "INSERT INTO skip VALUES(?, ?, ?)")
      .Bind(skip.suite)
      .Bind(skip.what)
      .Bind(skip.reason)
      .Run();
}

void ResultsStore::Add(const suites::GroupResult& group) {
  Statement(*this, "INSERT INTO scenario VALUES(?, ?)")
      .Bind(int64_t{group.number})
      .Bind(suites::ToJson(group).dump())
      .Run();
}

void ResultsStore::Add(uint32_t group, const suites::CaseResult& result) {
  if (add_case_ == nullptr) {
    add_case_ = std::make_unique<Statement>(
        *this,
        fmt::format("INSERT INTO result(scenario, {}) VALUES(?,?,?,?,?,?,?,?,?,?)", kCaseColumns));
  }
  Statement& row = *add_case_;
  row.Bind(int64_t{group})
      .Bind(int64_t{result.index})
      .Bind(result.passed() ? 1 : 0)
      .Bind(static_cast<int64_t>(result.driver_calls))
      .Bind(Joined(result.fired, " ", [](uint64_t fired) { return std::to_string(fired); }))
      .Bind(result.live)
      .Bind(static_cast<int64_t>(result.end_state))
      .Bind(result.only_after_others ? 1 : 0)
      .Bind(Joined(result.faults, "; ", suites::CompactText));
  const std::string findings = FindingsText(result);
  findings.empty() ? row.BindNull() : row.Bind(findings);
  row.Run();
}

nlohmann::json ResultsStore::Get(const std::string& key) const {
  Statement row(*this, "SELECT value FROM run WHERE key = ?");
  row.Bind(key);
  if (!row.Step()) return {};
  try {
    return nlohmann::json::parse(row.Text(0));
  } catch (const nlohmann::json::exception& error) {
    Fail(fmt::format("{}: {}", key, WhatIsWrong(error)));
  }
}

std::vector<suites::Skip> ResultsStore::Skips() const {
  std::vector<suites::Skip> skips;
  Statement rows(*this, "SELECT suite, what, reason FROM skip ORDER BY suite, what, reason");
  while (rows.Step()) skips.push_back({rows.Text(0), rows.Text(1), rows.Text(2)});
  return skips;
}

std::vector<suites::GroupResult> ResultsStore::Groups() const {
  std::vector<suites::GroupResult> groups;
  Statement rows(*this, "SELECT number, facts FROM scenario ORDER BY number");
  while (rows.Step()) {
    try {
      groups.push_back(suites::GroupResultFromJson(nlohmann::json::parse(rows.Text(1))));
    } catch (const std::exception& error) {
      Fail(fmt::format("scenario {}: {}", rows.Integer(0), WhatIsWrong(error)));
    }
    if (groups.back().number != rows.Integer(0)) Fail("a scenario has two numbers");
  }
  return groups;
}

void ResultsStore::ForEachCase(uint32_t group, const OnCase& on_case) const {
  Statement rows(
      *this, fmt::format("SELECT {} FROM result WHERE scenario = ? ORDER BY number", kCaseColumns));
  rows.Bind(int64_t{group});
  while (rows.Step()) {
    suites::CaseResult result;
    result.index = static_cast<uint32_t>(rows.Integer(0));
    try {
      result.driver_calls = static_cast<uint64_t>(rows.Integer(2));
      for (const std::string& fired : Split(rows.Text(3), ' ')) {
        result.fired.push_back(std::stoull(fired));
      }
      result.live = rows.Text(4);
      result.end_state = static_cast<uint64_t>(rows.Integer(5));
      result.only_after_others = rows.Integer(6) != 0;
      for (const std::string& fault : Split(rows.Text(7), ';')) {
        result.faults.push_back(suites::FaultFromCompactText(fault));
      }
      if (const std::string findings = rows.Text(8); !findings.empty()) {
        result.findings = suites::FindingsFromJson(nlohmann::json::parse(findings));
      }
    } catch (const std::exception& error) {
      Fail(fmt::format("scenario {}, case {}: {}", group, result.index, WhatIsWrong(error)));
    }
    on_case(result, rows.Integer(1) != 0);
  }
}

uint64_t ResultsStore::Cases() const {
  Statement row(*this, "SELECT count(*) FROM result");
  row.Step();
  return static_cast<uint64_t>(row.Integer(0));
}

std::optional<bool> ResultsStore::SaidToPass(uint32_t group, uint32_t number) const {
  Statement row(*this, "SELECT passed FROM result WHERE scenario = ? AND number = ?");
  row.Bind(int64_t{group}).Bind(int64_t{number});
  return row.Step() ? std::optional(row.Integer(0) != 0) : std::nullopt;
}

std::optional<uint64_t> ResultsStore::FirstGap(const suites::GroupResult& group,
                                               const suites::Shard& shard) const {
  Statement rows(*this, "SELECT number FROM result WHERE scenario = ? ORDER BY number");
  rows.Bind(int64_t{group.number});
  for (uint64_t index = 0; index < group.planned; ++index) {
    if (!shard.Owes(index)) continue;
    if (!rows.Step() || static_cast<uint64_t>(rows.Integer(0)) != index) return index;
  }
  if (rows.Step()) Fail(fmt::format("{}/{}: a case that no plan has", group.suite, group.scenario));
  return std::nullopt;
}

std::string ResultsStore::Sha256() const {
  suites::Sha256Sum sum;
  for (const char* sql :
       {"SELECT key, value FROM run ORDER BY key",
        "SELECT suite, what, reason FROM skip ORDER BY suite, what, reason",
        "SELECT number, facts FROM scenario ORDER BY number",
        "SELECT scenario, number, passed, calls, fired, live, end_state, only_after_others, faults,"
        " findings FROM result ORDER BY scenario, number"}) {
    Statement rows(*this, sql);
    const int columns = static_cast<int>(std::count(sql, std::strstr(sql, " FROM"), ',')) + 1;
    while (rows.Step()) {
      for (int i = 0; i < columns; ++i) {
        const std::string text = rows.Text(i);
        sum.Add(fmt::format("{}:", text.size()));
        sum.Add(text);
      }
    }
    sum.Add("\n");
  }
  return sum.Finish();
}

}  // namespace culprit::tools
