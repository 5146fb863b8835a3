// SPDX-License-Identifier: Apache-2.0
//
// The control table for C++: what a harness in the same process as the fake driver uses.
//
//   Fake fake = Fake::Load();
//   fake.Configure({{"policy", "lazy"}, {"certify", true}});
//   auto fault = fake.Inject({.entry = "cuEventCreate", .nth = 2, .result =
//   CUDA_ERROR_OUT_OF_MEMORY}); RunSubject(); if (!fault.fired()) ...
//   {
//     HarnessScope harness(fake);  // what happens here is neither counted nor faulted
//     ...
//   }
//   fake.EndOfLife();
//   for (const Finding& finding : fake.Findings()) ...
//
// Failures throw FakeError with the reason. A Fake is a reference to the library, which stays
// loaded; copies are the same driver. Functions may be called from any thread.
#ifndef FAKEDRIVER_CONTROL_FAKE_DRIVER_H_
#define FAKEDRIVER_CONTROL_FAKE_DRIVER_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "fakedriver/control/control.h"

namespace culprit {

class FakeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One fault in its hot form; see culprit_fault. With neither entry nor family, any call.
struct FaultSpec {
  std::string entry = {};
  std::string family = {};
  uint32_t thread = 0;
  uint64_t nth = 1;
  bool after = false;
  bool sticky = false;
  int result = 0;  // a CUresult
  bool optional = false;
};

class InjectedFault {
 public:
  InjectedFault(const culprit_control_table* table, int id) : table_(table), id_(id) {}
  int id() const { return id_; }
  uint64_t times_fired() const { return table_->fault_fired(id_); }
  bool fired() const { return times_fired() != 0; }
  void Lift() const { table_->lift_fault(id_); }

 private:
  const culprit_control_table* table_;
  int id_;
};

// See docs/findings/ for the rules.
struct Finding {
  std::string rule;
  std::string severity;  // "note", "warning", "error"
  std::string title;
  std::string message;
  std::string entry;
  std::string argument;
  std::string object;
  std::string handle;
  uint64_t call = 0;
  uint32_t thread = 0;
  std::string location;
  bool harness = false;
  uint64_t count = 1;
  nlohmann::json details;
};

struct CreatedBy {
  uint64_t call = 0;
  std::string entry;
  uint32_t thread = 0;
  std::string location;
};

struct LiveObject {
  std::string kind;
  uint64_t number = 0;
  std::string handle;
  std::string context;
  uint64_t bytes = 0;
  bool harness = false;
  bool orphan = false;
  CreatedBy created_by;
};

struct LoggedCall {
  uint64_t seq = 0;
  uint32_t thread = 0;
  std::string entry;
  uint32_t nth = 0;
  std::string result;
  int fault = 0;
};

struct UnfiredFault {
  int id = 0;
  std::string name;
  uint64_t matched = 0;
};

class Fake {
 public:
  // Loads the library, or finds the one that is loaded. Throws when it is no fake (a vendor's
  // driver, most of all).
  static Fake Load(const std::string& library = "libcuda.so.1");

  const culprit_control_table& table() const { return *table_; }
  nlohmann::json Identity() const { return Parse(table_->identity()); }
  std::string Path() const { return Identity().at("path"); }

  void Configure(const nlohmann::json& settings) const;
  nlohmann::json Settings() const { return Parse(table_->settings()); }
  void Reset() const { Check(table_->reset()); }

  InjectedFault Inject(const FaultSpec& spec) const;
  void AddPlan(const std::string& text, const std::string& name_for_errors = "plan") const;
  void ClearFaults() const { table_->clear_faults(); }
  std::vector<UnfiredFault> UnfiredFaults() const;

  uint64_t Calls() const { return table_->calls(); }
  uint64_t CallsOf(const std::string& entry) const { return table_->calls_of(entry.c_str()); }
  uint32_t Threads() const { return table_->threads(); }
  uint32_t StackDepth() const { return table_->stack_depth(); }
  void LogCalls(bool on) const { table_->log_calls(on ? 1 : 0); }
  std::vector<LoggedCall> CallLog() const;

  culprit_live Live() const;
  culprit_launches Launches() const;
  std::vector<LiveObject> LiveObjects() const;

  void EndOfLife() const { table_->end_of_life(); }
  uint32_t FindingCount() const { return table_->finding_count(0); }
  uint32_t ErrorCount() const { return table_->finding_count(1); }
  std::vector<Finding> Findings() const;

  nlohmann::json ApiTable() const { return Parse(table_->api_table()); }

 private:
  explicit Fake(const culprit_control_table* table) : table_(table) {}

  static nlohmann::json Parse(const char* text) { return nlohmann::json::parse(text); }
  void Check(int status) const;

  const culprit_control_table* table_;
};

// The calling thread acts for the harness while this lives.
class HarnessScope {
 public:
  explicit HarnessScope(const Fake& fake) : table_(fake.table()) { table_.harness_begin(); }
  ~HarnessScope() { table_.harness_end(); }
  HarnessScope(const HarnessScope&) = delete;
  HarnessScope& operator=(const HarnessScope&) = delete;

 private:
  const culprit_control_table& table_;
};

}  // namespace culprit

#endif  // FAKEDRIVER_CONTROL_FAKE_DRIVER_H_
