// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/testing/example_report.h"

namespace culprit::tools {
namespace {

using suites::CaseResult;
using suites::Fault;
using suites::FaultSpan;
using suites::FaultWhen;
using suites::Finding;
using suites::GroupResult;

constexpr int32_t kOutOfMemory = 2;
const std::string kDigest(64, 'a');

CaseResult Passing(uint32_t index, std::vector<Fault> faults) {
  CaseResult result;
  result.index = index;
  result.fired.assign(faults.size(), 1);
  result.faults = std::move(faults);
  result.driver_calls = 40 + index;
  result.live = "nothing";
  result.end_state = 1000 + index;
  result.launches = 4;
  result.launches_reused = index == 0 ? 0 : 4;
  return result;
}

CaseResult Leaking() {
  CaseResult result =
      Passing(2, {{"cuStreamDestroy_v2", 1, FaultWhen::kBefore, FaultSpan::kOnce, 400}});
  result.live = "streams 1";
  Finding leak{
      .id = "leak.stream", .message = "1 stream <is> left & alive", .step = "close (attempt 2)"};
  leak.details = {
      {"entry", "cuStreamCreate"},
      {"call", 7},
      {"handle", "0x10"},
      {"thread", 1},
      {"location", "Open() at source.cc:12 (libport.so)"},
      {"file", "source.cc"},
      {"line", 12},
      {"calls_before",
       {{{"seq", 6}, {"thread", 1}, {"entry", "cuInit"}, {"result", "CUDA_SUCCESS"}, {"fault", 0}},
        {{"seq", 7},
         {"thread", 1},
         {"entry", "cuStreamDestroy_v2"},
         {"result", "CUDA_ERROR_INVALID_HANDLE"},
         {"fault", 1}}}}};
  result.findings.push_back(leak);
  return result;
}

CaseResult WithRemark() {
  CaseResult result =
      Passing(1, {{"cuMemAlloc_v2", 3, FaultWhen::kAfter, FaultSpan::kSticky, kOutOfMemory}});
  result.findings.push_back({.id = "context.missing_at_teardown",
                             .severity = "note",
                             .message = "torn down without a context",
                             .step = "close"});
  return result;
}

Report WithGroups() {
  Report report;
  report.identity = {
      {"port",
       {{"name", "example"},
        {"version", "1.2"},
        {"path", "/lib/libport.so"},
        {"build_id", "beef"}}},
      {"driver", {{"name", "culprit fake driver"}, {"version", "1"}, {"real", false}, {"pid", 7}}},
      {"settings", {{"profile", "r580"}}},
      {"mapped_driver", "/lib/libcuda.so.1"}};
  report.selection = {{"suites", nlohmann::json::array()},
                      {"profiles", nlohmann::json::array()},
                      {"policies", nlohmann::json::array()},
                      {"seed", 1},
                      {"singles", "plan"},
                      {"pairs", false},
                      {"reuse_launches", true},
                      {"shard", "1/1"}};
  report.suites = {{"fault_space", 1, "Everything fails", kDigest, "fault_space.yaml"},
                   {"close", 2, "Closing", kDigest, "close.yaml"}};
  report.skips = {{"threads", "", "the port has no \"threads\""}};
  report.started = "2030-01-01T00:00:00Z";
  report.seconds = 1.5;
  report.groups.resize(2);
  GroupResult& whole = report.groups[0];
  whole.number = 0;
  whole.suite = "fault_space";
  whole.scenario = "life_cycle";
  whole.settings.extractors = {"motion"};
  whole.planned = 2;
  whole.space = {
      .calls = 40, .sites = 1, .singles = 1, .singles_left_out = {}, .pairs_left_out = {}};
  GroupResult& leaky = report.groups[1];
  leaky.number = 1;
  leaky.suite = "close";
  leaky.suite_version = 2;
  leaky.scenario = "used";
  leaky.settings.profile = "strict";
  leaky.planned = 3;
  leaky.space = {.calls = 41,
                 .sites = 2,
                 .singles = 2,
                 .singles_left_out = {{"results", "the sweep takes one result for each call", 5}},
                 .pairs_left_out = {}};
  return report;
}

Report Filled(const std::vector<std::pair<uint32_t, CaseResult>>& cases) {
  Report report = WithGroups();
  for (const auto& [number, result] : cases) {
    report.groups[number].tally.Add(result);
    if (!result.passed()) report.groups[number].failures.push_back(result);
  }
  return report;
}

}  // namespace

std::vector<std::pair<uint32_t, CaseResult>> ExampleCases() {
  const Fault fault{"cuInit", 1, FaultWhen::kBefore, FaultSpan::kOnce, kOutOfMemory};
  return {{0, Passing(0, {})},
          {0, Passing(1, {fault})},
          {1, Passing(0, {})},
          {1, WithRemark()},
          {1, Leaking()}};
}

Report ExampleReport() { return Filled(ExampleCases()); }

Report CertifiedReport() {
  auto cases = ExampleCases();
  cases.back().second.findings.clear();
  return Filled(cases);
}

}  // namespace culprit::tools
