// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/fault.h"

#include <fmt/format.h>

#include <sstream>

#include "suites/runner/driver_entry.h"
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

namespace {

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string LookupName(const std::string& entry) {
  std::string name = entry;
  for (const char* variant : {"_ptds", "_ptsz"}) {
    if (EndsWith(name, variant)) name.resize(name.size() - 5);
  }
  const size_t version = name.rfind("_v");
  if (version != std::string::npos && version + 2 < name.size() &&
      name.find_first_not_of("0123456789", version + 2) == std::string::npos) {
    name.resize(version);
  }
  return name;
}

bool SameEntry(const std::string& a, const std::string& b) {
  return a == b || LookupName(a) == LookupName(b);
}

std::string Fault::Name() const {
  return fmt::format("{} #{}: {} {}, {}", entry, nth, DriverResultName(result), NameOf(when),
                     NameOf(span));
}

std::string CompactText(const Fault& fault) {
  return fmt::format("{} {} {} {} {}{}", fault.entry, fault.nth, fault.result, NameOf(fault.when),
                     NameOf(fault.span), fault.optional ? " optional" : "");
}

Fault FaultFromCompactText(const std::string& text) {
  Fault fault;
  std::istringstream words(text);
  std::string when;
  std::string span;
  std::string optional;
  words >> fault.entry >> fault.nth >> fault.result >> when >> span;
  if (!words || !Parse(when, &fault.when) || !Parse(span, &fault.span)) {
    throw InputError("'" + text + "' is no fault; one is like 'cuMemAlloc_v2 3 2 before once'");
  }
  fault.optional = static_cast<bool>(words >> optional) && optional == "optional";
  return fault;
}

nlohmann::json ToJson(const Fault& fault) {
  return {{"entry", fault.entry},
          {"nth", fault.nth},
          {"when", NameOf(fault.when)},
          {"span", NameOf(fault.span)},
          {"result", DriverResultName(fault.result)},
          {"optional", fault.optional}};
}

Fault FaultFrom(const JsonObject& object) {
  Fault fault;
  fault.entry = object.Text("entry");
  if (!IsDriverEntry(fault.entry)) object.Fail("entry", "an entry of the driver API");
  fault.nth = object.Number("nth", 1);
  if (object.Has("optional")) fault.optional = object.Flag("optional");
  if (!Parse(object.Text("when"), &fault.when)) object.Fail("when", "before or after");
  if (!Parse(object.Text("span"), &fault.span)) object.Fail("span", "once or sticky");
  const auto result = DriverResultValue(object.Text("result"));
  if (!result || *result == 0) object.Fail("result", "a CUresult that is a failure");
  fault.result = *result;
  return fault;
}

Fault FaultFromJson(const nlohmann::json& json) { return FaultFrom(JsonObject(json, "fault")); }

}  // namespace culprit::suites
