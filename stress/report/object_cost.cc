// SPDX-License-Identifier: Apache-2.0
#include "stress/report/object_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "stress/report/quantity.h"

namespace culprit::stress {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool HasControl(const ProbeResult& result) {
  return result.control.ending == Ending::kDone && !result.control.samples.empty();
}

OrderedJson CostOf(const Judgement& control) {
  OrderedJson cost{{"seen", control.verdict == Verdict::kLeak}, {"each", control.line.slope}};
  cost["lower"] = std::isfinite(control.lower) ? OrderedJson(control.lower) : OrderedJson(nullptr);
  cost["upper"] = std::isfinite(control.upper) ? OrderedJson(control.upper) : OrderedJson(nullptr);
  cost["chunk"] = control.chunk;
  return cost;
}

const ResourceResult* Find(const Report& report, const std::string& probe,
                           const std::string& resource) {
  for (const ProbeResult& result : report.results) {
    if (result.probe->name != probe || !HasControl(result)) continue;
    for (const ResourceResult& entry : result.resources) {
      if (InfoOf(entry.resource).name == resource && entry.control_judgement) return &entry;
    }
  }
  return nullptr;
}

// What is worth comparing: figures that the driver alone decides.
bool IsComparable(std::string_view resource, bool same_driver) {
  return resource == InfoOf(Resource::kDeviceMemory).name ||
         (same_driver && resource == InfoOf(Resource::kHeap).name);
}

std::string CompareOne(const Report& report, const std::string& probe, const std::string& resource,
                       const OrderedJson& cost, double part) {
  if (!cost.at("seen").get<bool>()) return {};
  const ResourceResult* entry = Find(report, probe, resource);
  if (entry == nullptr) return {};
  const double recorded = cost.at("each").get<double>();
  const double measured = entry->control_judgement->line.slope;
  if (std::abs(measured - recorded) <= part * std::abs(recorded)) return {};
  return fmt::format("{}: {} of one object is {}, recorded {}\n", probe,
                     InfoOf(entry->resource).title, Amount(entry->resource, measured),
                     Amount(entry->resource, recorded));
}

}  // namespace

std::string ObjectCosts(const Report& report) {
  OrderedJson objects = OrderedJson::array();
  for (const ProbeResult& result : report.results) {
    if (!HasControl(result)) continue;
    OrderedJson resources = OrderedJson::object();
    for (const ResourceResult& entry : result.resources) {
      if (entry.resource == Resource::kHandles || !entry.control_judgement) continue;
      resources[std::string(InfoOf(entry.resource).name)] = CostOf(*entry.control_judgement);
    }
    objects.push_back({{"probe", result.probe->name},
                       {"object", result.probe->object},
                       {"cycles", result.control.samples.back().cycle},
                       {"resources", resources}});
  }
  const OrderedJson json{
      {"schema", "culprit.object_cost/1"},   {"date", report.date},
      {"device", report.machine.device},     {"driver", report.machine.driver_version},
      {"cuda", report.machine.cuda_version}, {"objects", objects}};
  return json.dump(1) + '\n';
}

std::string CompareObjectCosts(const Report& report, const std::string& recorded_json,
                               const std::string& file, double part) {
  std::string lines;
  try {
    const OrderedJson recorded = OrderedJson::parse(recorded_json);
    if (recorded.at("schema") != "culprit.object_cost/1") {
      return fmt::format("{}: not a file of object costs (schema {})\n", file,
                         recorded.at("schema").dump());
    }
    const bool same_driver = recorded.at("driver") == report.machine.driver_version;
    for (const OrderedJson& object : recorded.at("objects")) {
      const auto probe = object.at("probe").get<std::string>();
      for (const auto& [resource, cost] : object.at("resources").items()) {
        if (!IsComparable(resource, same_driver)) continue;
        lines += CompareOne(report, probe, resource, cost, part);
      }
    }
  } catch (const OrderedJson::exception& error) {
    return fmt::format("{}: {}\n", file, error.what());
  }
  return lines;
}

}  // namespace culprit::stress
