// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/fault.h"

#include <fmt/format.h>

#include <stdexcept>

#include "suites/runner/driver_result.h"

namespace culprit::suites {

const char* NameOf(FaultWhen when) { return when == FaultWhen::kBefore ? "before" : "after"; }
const char* NameOf(FaultSpan span) { return span == FaultSpan::kOnce ? "once" : "sticky"; }

bool Parse(const std::string& text, FaultWhen* when) {
  *when = text == "after" ? FaultWhen::kAfter : FaultWhen::kBefore;
  return text == NameOf(*when);
}

bool Parse(const std::string& text, FaultSpan* span) {
  *span = text == "sticky" ? FaultSpan::kSticky : FaultSpan::kOnce;
  return text == NameOf(*span);
}

std::string Fault::Name() const {
  return fmt::format("{} #{}: {} {}, {}", entry, nth, DriverResultName(result), NameOf(when),
                     NameOf(span));
}

nlohmann::json ToJson(const Fault& fault) {
  return {{"entry", fault.entry},
          {"nth", fault.nth},
          {"when", NameOf(fault.when)},
          {"span", NameOf(fault.span)},
          {"result", DriverResultName(fault.result)},
          {"optional", fault.optional}};
}

Fault FaultFromJson(const nlohmann::json& json) {
  Fault fault;
  json.at("entry").get_to(fault.entry);
  json.at("nth").get_to(fault.nth);
  fault.optional = json.value("optional", false);
  const auto when = json.at("when").get<std::string>();
  const auto span = json.at("span").get<std::string>();
  const auto result = json.at("result").get<std::string>();
  if (!Parse(when, &fault.when)) throw std::invalid_argument("when '" + when + "'");
  if (!Parse(span, &fault.span)) throw std::invalid_argument("span '" + span + "'");
  const auto value = DriverResultValue(result);
  if (!value) throw std::invalid_argument("result '" + result + "' is no CUresult");
  fault.result = *value;
  return fault;
}

}  // namespace culprit::suites
