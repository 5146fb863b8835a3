// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/report.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "fakedriver/abi/driver_version.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/control/control.h"
#include "fakedriver/control/settings_json.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/code_location.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/core/results.h"
#include "fakedriver/fault/engine.h"
#include "fakedriver/trace/call_log.h"

namespace culprit::fakedriver::control {
namespace {

using Json = nlohmann::ordered_json;

std::string Hex(uint64_t value) { return fmt::format("0x{:x}", value); }

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Findings() {
  Json list = Json::array();
  for (const audit::Finding& finding : audit::Findings()) {
    Json more = Json::object();
    for (const auto& [name, value] : finding.details.more) more[name] = value;
    list.push_back({{"rule", audit::InfoOf(finding.rule).id},
                    {"severity", audit::SeverityName(finding.severity)},
                    {"title", audit::InfoOf(finding.rule).title},
                    {"message", finding.details.message},
                    {"entry", finding.entry},
                    {"argument", finding.details.argument},
                    {"object", finding.details.object},
                    {"handle", Hex(finding.details.handle)},
                    {"call", finding.call},
                    {"thread", finding.thread},
                    {"location", CodeLocation(finding.return_address)},
                    {"harness", finding.harness},
                    {"count", finding.count},
                    {"details", more}});
  }
  return list;
}

Json LiveList() {
  Json list = Json::array();
  for (const LiveObject& object : LiveObjects()) {
    list.push_back({{"kind", object.kind},
                    {"number", object.number},
                    {"handle", Hex(object.handle)},
                    {"context", Hex(object.context)},
                    {"bytes", object.bytes},
                    {"harness", object.harness},
                    {"orphan", object.orphan},
                    {"created_by",
                     {{"call", object.created_call},
                      {"entry", object.created_entry},
                      {"thread", object.created_thread},
                      {"location", CodeLocation(object.created_return_address)}}}});
  }
  return list;
}

Json Unfired() {
  Json list = Json::array();
  for (const fault::Unfired& fault : fault::UnfiredFaults()) {
    list.push_back({{"id", fault.id}, {"name", fault.name}, {"matched", fault.matched}});
  }
  return list;
}

Json Identity() {
  const std::string vendor = VendorLibrary();
  Json identity = {{"name", vendor.empty() ? "culprit fake driver" : "culprit interposer"},
                   {"version", CULPRIT_VERSION},
                   {"abi", CULPRIT_CONTROL_ABI},
                   {"path", OwnPath()},
                   {"real", !vendor.empty()},
                   {"driver_version", kDriverVersion},
                   {"pid", getpid()}};
  if (!vendor.empty()) identity["vendor_library"] = vendor;
  return identity;
}

// Each entry that was called, with the number of its calls.
Json CalledEntries() {
  Json calls = Json::object();
  for (const ApiInfo& row : kApis) {
    if (const uint64_t count = CallsOf(row.id)) calls[row.symbol] = count;
  }
  return calls;
}

}  // namespace

std::string OwnPath() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnPath), &info) == 0) return "";
  char path[PATH_MAX];
  return realpath(info.dli_fname, path) != nullptr ? path : info.dli_fname;
}

std::string IdentityAsJson() { return Dump(Identity()); }
std::string FindingsAsJson() { return Dump(Findings()); }
std::string LiveObjectsAsJson() { return Dump(LiveList()); }
std::string UnfiredFaultsAsJson() { return Dump(Unfired()); }

std::string CallLogAsJson() {
  Json list = Json::array();
  for (const trace::LoggedCall& call : trace::LoggedCalls()) {
    list.push_back({{"seq", call.sequence},
                    {"thread", call.thread},
                    {"entry", Info(call.api).symbol},
                    {"nth", call.nth},
                    {"result", ResultText(call.result)},
                    {"fault", call.fault}});
  }
  return Dump(list);
}

std::string ApiTableAsJson() {
  Json list = Json::array();
  for (const ApiInfo& row : kApis) {
    Json results = Json::array();
    for (CUresult result : DocumentedResults(row.id)) results.push_back(ResultName(result));
    list.push_back({{"symbol", row.symbol},
                    {"lookup", row.lookup},
                    {"since", row.since},
                    {"family", FamilyName(row.family)},
                    {"effect", EffectName(row.effect)},
                    {"needs", NeedsName(row.needs)},
                    {"base", Info(row.base).symbol},
                    {"modelled", row.modelled},
                    {"results", results}});
  }
  return Dump(list);
}

std::string ReportAsJson() {
  const LiveCounts live = CountLive();
  Json not_modelled = Json::array();
  for (const ApiInfo& row : kApis) {
    const uint64_t calls = row.modelled ? 0 : CallsOf(row.id);
    if (calls != 0) not_modelled.push_back({{"entry", row.symbol}, {"calls", calls}});
  }
  Json report = {{"culprit_report", 1},
                 {"identity", Identity()},
                 {"settings", Json::parse(SettingsAsJson(CurrentSettings()))},
                 {"calls", CallsSinceReset()},
                 {"entries", CalledEntries()},
                 {"threads", ThreadsSeen()},
                 {"not_modelled", not_modelled},
                 {"device_bytes", live.device_bytes},
                 {"host_bytes", live.host_bytes},
                 {"live_objects", LiveList()},
                 {"unfired_faults", Unfired()},
                 {"findings", Findings()}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit::fakedriver::control
