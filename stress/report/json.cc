// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "stress/report/report.h"

namespace culprit::stress {
namespace {

using OrderedJson = nlohmann::ordered_json;

// JSON has no infinity: an absent bound is null.
OrderedJson Number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

// A loop by columns: the cycles, and per resource the first reading and how far each differs from
// it, which keeps level stretches short.
OrderedJson ToJson(const Trial& trial) {
  OrderedJson cycles = OrderedJson::array();
  for (const Sample& sample : trial.samples) cycles.push_back(sample.cycle);
  OrderedJson readings = OrderedJson::object();
  for (const ResourceInfo& info : kResources) {
    if (trial.samples.empty()) break;
    const int64_t first = trial.samples.front()[info.resource];
    if (first == kUnavailable) continue;
    OrderedJson since = OrderedJson::array();
    for (const Sample& sample : trial.samples) {
      const int64_t value = sample[info.resource];
      since.push_back(value == kUnavailable ? OrderedJson(nullptr) : OrderedJson(value - first));
    }
    readings[std::string(info.name)] = {{"first", first}, {"since", std::move(since)}};
  }
  return {{"seconds", trial.seconds}, {"cycles", std::move(cycles)}, {"readings", readings}};
}

OrderedJson ToJson(const Judgement& judgement) {
  return {
      {"verdict", NameOf(judgement.verdict)},
      {"slope", Number(judgement.line.slope)},
      {"lower", Number(judgement.lower)},
      {"upper", Number(judgement.upper)},
      {"detectable", Number(judgement.detectable)},
      {"chunk", Number(judgement.chunk)},
      {"rises", judgement.rises},
      {"judged_from", judgement.kept_from},
      {"judged_cycles", Number(judgement.kept_cycles)},
      {"cycles_needed", Number(judgement.cycles_needed)},
      {"reason", judgement.reason},
  };
}

OrderedJson ToJson(const ResourceResult& entry) {
  const ResourceInfo& info = InfoOf(entry.resource);
  OrderedJson json{
      {"resource", info.name},
      {"unit", info.bytes ? "bytes" : "count"},
      {"must_see", Number(entry.must_see)},
      {"clean", ToJson(entry.clean_judgement)},
  };
  if (entry.control_judgement) json["control"] = ToJson(*entry.control_judgement);
  if (!entry.known.empty()) json["known"] = entry.known;
  return json;
}

OrderedJson ToJson(const ProbeResult& result) {
  OrderedJson resources = OrderedJson::array();
  for (const ResourceResult& entry : result.resources) resources.push_back(ToJson(entry));
  OrderedJson json{
      {"probe", result.probe->name},      {"object", result.probe->object},
      {"verdict", NameOf(result.status)}, {"reason", result.reason},
      {"cycles", result.cycles},          {"cycles_needed", Number(result.cycles_needed)},
      {"seconds", result.seconds},        {"pairs", result.clean.pair_names},
      {"resources", resources},
  };
  if (result.probe->planted_device_bytes != 0) {
    json["planted_device_bytes"] = result.probe->planted_device_bytes;
  }
  if (!result.clean.why_no_nvml.empty()) json["no_nvml"] = result.clean.why_no_nvml;
  if (!result.clean.samples.empty()) json["clean"] = ToJson(result.clean);
  if (!result.control.samples.empty()) json["control"] = ToJson(result.control);
  return json;
}

}  // namespace

std::string ToJson(const Report& report) {
  const OrderedJson head{
      {"schema", "culprit.stress/1"},
      {"date", report.date},
      {"device", report.machine.device},
      {"driver", report.machine.driver_version},
      {"cuda", report.machine.cuda_version},
      {"exit_code", static_cast<int>(ExitCodeOf(report.results))},
  };
  // A line a probe: a recorded run stays readable as a difference.
  std::string text = head.dump();
  text.back() = ',';
  text += "\n\"probes\":[";
  for (const ProbeResult& result : report.results) {
    text +=
        fmt::format("{}\n{}", &result == &report.results.front() ? "" : ",", ToJson(result).dump());
  }
  return text + "\n]}\n";
}

}  // namespace culprit::stress
