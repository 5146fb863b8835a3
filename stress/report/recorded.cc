// SPDX-License-Identifier: Apache-2.0
#include "stress/report/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace culprit::stress {
namespace {

using Json = nlohmann::json;

Trial ReadTrial(const Json& json) {
  Trial trial;
  trial.ending = Ending::kDone;
  json.at("seconds").get_to(trial.seconds);
  for (const Json& cycle : json.at("cycles")) {
    Sample sample;
    cycle.get_to(sample.cycle);
    if (!trial.samples.empty() && sample.cycle <= trial.samples.back().cycle) {
      throw std::invalid_argument("the cycles do not ascend");
    }
    trial.samples.push_back(sample);
  }
  for (const auto& [name, column] : json.at("readings").items()) {
    const ResourceInfo* info = FindResource(name);
    if (info == nullptr) throw std::invalid_argument(fmt::format("no resource is '{}'", name));
    const auto first = column.at("first").get<int64_t>();
    const Json& since = column.at("since");
    if (since.size() != trial.samples.size()) {
      throw std::invalid_argument(fmt::format("{} has {} readings for {} cycles", name,
                                              since.size(), trial.samples.size()));
    }
    for (size_t i = 0; i < since.size(); ++i) {
      if (!since[i].is_null()) {
        trial.samples[i][info->resource] = first + since[i].get<int64_t>();
      }
    }
  }
  return trial;
}

ProbeResult ReadProbe(const Json& json, const ProbeInfo& probe, const Machine& machine,
                      const AssessOptions& options) {
  Trial clean = ReadTrial(json.at("clean"));
  clean.machine = machine;
  clean.why_no_nvml = json.value("no_nvml", "");
  json.at("pairs").get_to(clean.pair_names);
  std::optional<Trial> control;
  if (json.contains("control")) control = ReadTrial(json.at("control"));
  ProbeResult result = Assess(probe, std::move(clean), std::move(control), options);
  json.at("seconds").get_to(result.seconds);
  return result;
}

void Keep(ProbeResult result, Report* report) {
  const auto same =
      std::find_if(report->results.begin(), report->results.end(),
                   [&](const ProbeResult& other) { return other.probe == result.probe; });
  if (same == report->results.end()) {
    report->results.push_back(std::move(result));
  } else {
    *same = std::move(result);
  }
}

}  // namespace

bool ReadReport(const std::string& text, const std::string& file, const AssessOptions& options,
                const std::function<const ProbeInfo*(std::string_view)>& find, Report* report,
                std::string* error) {
  std::string where = file;
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != "culprit.stress/1") {
      *error = fmt::format("{}: the schema is not culprit.stress/1", file);
      return false;
    }
    json.at("date").get_to(report->date);
    json.at("device").get_to(report->machine.device);
    json.at("driver").get_to(report->machine.driver_version);
    json.at("cuda").get_to(report->machine.cuda_version);
    for (const Json& entry : json.at("probes")) {
      const auto name = entry.at("probe").get<std::string>();
      where = fmt::format("{}: {}", file, name);
      const ProbeInfo* probe = find(name);
      if (probe == nullptr || !entry.contains("clean")) continue;
      Keep(ReadProbe(entry, *probe, report->machine, options), report);
    }
  } catch (const std::exception& failure) {
    *error = fmt::format("{}: {}", where, failure.what());
    return false;
  }
  return true;
}

}  // namespace culprit::stress
