// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "stress/report/report.h"

namespace culprit::stress {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: an absent bound is null.
Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json ToJson(const Series& series) {
  Json points = Json::array();
  for (const Point& point : series) points.push_back({point.cycle, point.value});
  return points;
}

Json ToJson(const Judgement& judgement) {
  return {
      {"verdict", NameOf(judgement.verdict)},
      {"slope", Number(judgement.line.slope)},
      {"lower", Number(judgement.lower)},
      {"upper", Number(judgement.upper)},
      {"intercept", Number(judgement.line.intercept)},
      {"detectable", Number(judgement.detectable)},
      {"chunk", Number(judgement.chunk)},
      {"rises", judgement.rises},
      {"kept_from", judgement.kept_from},
      {"kept_cycles", Number(judgement.kept_cycles)},
      {"cycles_needed", Number(judgement.cycles_needed)},
      {"reason", judgement.reason},
  };
}

Json ToJson(const ResourceResult& entry) {
  const ResourceInfo& info = InfoOf(entry.resource);
  Json json{
      {"resource", info.name},
      {"unit", info.bytes ? "bytes" : "count"},
      {"must_see", Number(entry.must_see)},
      {"known", entry.known},
      {"clean", ToJson(entry.clean_judgement)},
      {"clean_series", ToJson(entry.clean)},
  };
  if (entry.control_judgement) {
    json["control"] = ToJson(*entry.control_judgement);
    json["control_series"] = ToJson(entry.control);
  }
  return json;
}

Json ToJson(const ProbeResult& result) {
  Json resources = Json::array();
  for (const ResourceResult& entry : result.resources) resources.push_back(ToJson(entry));
  return {
      {"probe", result.probe->name},
      {"object", result.probe->object},
      {"verdict", NameOf(result.status)},
      {"reason", result.reason},
      {"cycles", result.cycles},
      {"cycles_needed", Number(result.cycles_needed)},
      {"seconds", result.seconds},
      {"seconds_clean", result.clean.seconds},
      {"seconds_control", result.control.seconds},
      {"pairs", result.clean.pair_names},
      {"planted_device_bytes", result.probe->planted_device_bytes},
      {"no_nvml", result.clean.why_no_nvml},
      {"resources", resources},
  };
}

}  // namespace

std::string ToJson(const Report& report) {
  Json probes = Json::array();
  for (const ProbeResult& result : report.results) probes.push_back(ToJson(result));
  const Json json{
      {"schema", "culprit.stress/1"},
      {"date", report.date},
      {"device", report.machine.device},
      {"driver", report.machine.driver_version},
      {"cuda", report.machine.cuda_version},
      {"driver_file", report.machine.driver_file},
      {"exit_code", static_cast<int>(ExitCodeOf(report.results))},
      {"probes", probes},
  };
  return json.dump(1) + '\n';
}

}  // namespace culprit::stress
