// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/sweep.h"

#include <cuda.h>

#include <algorithm>

#include "suites/runner/driver_result.h"
#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

bool IsFailureOfTheCall(int32_t result) {
  return result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY &&
         result != CUDA_ERROR_DEINITIALIZED;
}

// The one result that stands for all: running out of memory where the entry can, else the last
// documented one, which is seldom a mere bad argument.
int32_t Representative(const std::vector<int32_t>& results) {
  const auto memory = std::find(results.begin(), results.end(), CUDA_ERROR_OUT_OF_MEMORY);
  return memory != results.end() ? *memory : results.back();
}

std::vector<int32_t> ResultsOf(const std::string& entry, const Sweep& sweep,
                               const DocumentedResults& documented) {
  const auto known = documented.find(entry);
  if (known == documented.end() || known->second.empty()) return {CUDA_ERROR_UNKNOWN};
  if (sweep.results == Sweep::Results::kOne) return {Representative(known->second)};
  return known->second;
}

}  // namespace

DocumentedResults ReadDocumentedResults(const nlohmann::json& api_table) {
  DocumentedResults documented;
  for (const nlohmann::json& entry : api_table) {
    std::vector<int32_t> results;
    for (const nlohmann::json& result : entry.value("results", nlohmann::json::array())) {
      const auto value = result.is_number() ? std::optional(result.get<int32_t>())
                                            : DriverResultValue(result.get<std::string>());
      if (value && IsFailureOfTheCall(*value)) results.push_back(*value);
    }
    documented[entry.value("symbol", "")] = std::move(results);
  }
  return documented;
}

std::vector<SweptCall> ReadSweptCalls(const nlohmann::json& call_log,
                                      const LifeCycleRecord& record) {
  std::vector<SweptCall> calls;
  std::map<std::string, uint64_t> seen;
  for (const nlohmann::json& line : call_log) {
    SweptCall call;
    call.entry = line.value("entry", "");
    call.sequence = line.value("seq", uint64_t{0});
    // A fault that names an entry by its lookup name counts every variant of it.
    const std::string lookup = LookupName(call.entry);
    const uint64_t of_lookup = ++seen["*" + lookup];
    const uint64_t of_entry = ++seen[call.entry];
    call.nth = call.entry == lookup ? of_lookup : of_entry;
    // What a thread of the subject calls between two steps belongs to the later one, so that the
    // plan does not depend on how fast the thread was.
    const auto made_in = std::find_if(
        record.calls.begin(), record.calls.end(),
        [&](const PortCall& port_call) { return call.sequence <= port_call.calls_after; });
    if (made_in == record.calls.end()) continue;
    call.during = made_in->kind;
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<std::vector<Fault>> PlanSweep(const Sweep& sweep, const std::vector<SweptCall>& calls,
                                          const DocumentedResults& documented, bool optional) {
  std::vector<std::vector<Fault>> cases;
  // How often each entry was called before the call that is swept: up to there a run with a fault
  // is the same.
  std::map<std::string, uint64_t> made;
  for (const SweptCall& call : calls) {
    const std::string lookup = LookupName(call.entry);
    ++made[lookup];
    const bool wanted = sweep.during.empty() || std::find(sweep.during.begin(), sweep.during.end(),
                                                          call.during) != sweep.during.end();
    if (!wanted) continue;
    for (const int32_t result : ResultsOf(call.entry, sweep, documented)) {
      for (const FaultWhen when : sweep.when) {
        for (const FaultSpan span : sweep.span) {
          const Fault fault{call.entry, call.nth, when, span, result, optional};
          if (sweep.followed_by.empty()) cases.push_back({fault});
          for (Fault next : sweep.followed_by) {
            if (SameEntry(next.entry, fault.entry) && span == FaultSpan::kSticky) continue;
            next.nth = made[LookupName(next.entry)] + 1;
            cases.push_back({fault, next});
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace culprit::suites
