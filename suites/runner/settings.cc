// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suites/runner/vendor_driver.h"

namespace culprit::suites {
namespace {

constexpr std::array kCallerNames = {"none", "owner", "foreign"};
constexpr std::array kStateNames = {"primary", "given"};

template <typename Names>
void DemandOneOf(const JsonObject& object, const char* key, const Names& names) {
  if (std::find(names.begin(), names.end(), object.Text(key)) != names.end()) return;
  object.Fail(key, fmt::format("one of: {}", fmt::join(names, ", ")));
}

template <typename Enum, typename Names>
bool ParseName(const std::string& text, const Names& names, Enum* out) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) {
      *out = static_cast<Enum>(i);
      return true;
    }
  }
  return false;
}

}  // namespace

const char* NameOf(CallerContext caller) { return kCallerNames[static_cast<size_t>(caller)]; }
const char* NameOf(StateContext state) { return kStateNames[static_cast<size_t>(state)]; }
bool Parse(const std::string& text, CallerContext* caller) {
  return ParseName(text, kCallerNames, caller);
}
bool Parse(const std::string& text, StateContext* state) {
  return ParseName(text, kStateNames, state);
}

std::string Settings::Name() const {
  std::string name;
  if (!extractors.empty()) name = fmt::format("{} {}-bit ", fmt::join(extractors, "+"), bits);
  name += threads == 0 ? "serial" : fmt::format("threads={}", threads);
  if (preallocate != 0) name += fmt::format(" ring={}", preallocate);
  name += fmt::format(" caller={}", NameOf(caller));
  if (state == StateContext::kGiven) name += " state=given";
  return name;
}

nlohmann::json ToJson(const Settings& settings) {
  return {{"profile", settings.profile},
          {"policy", settings.policy},
          {"extractors", settings.extractors},
          {"bits", settings.bits},
          {"threads", settings.threads},
          {"preallocate", settings.preallocate},
          {"caller", NameOf(settings.caller)},
          {"state", NameOf(settings.state)},
          {"seed", settings.seed}};
}

Settings SettingsFrom(const JsonObject& object) {
  Settings settings;
  settings.profile = object.Text("profile");
  settings.policy = object.Text("policy");
  if (!OnVendorsDriver(settings)) {
    DemandOneOf(object, "profile", kProfiles);
    DemandOneOf(object, "policy", kPolicies);
  }
  settings.extractors = object.Texts("extractors");
  settings.bits = static_cast<uint32_t>(object.Number("bits", 8, 16));
  settings.threads = static_cast<uint32_t>(object.Number("threads", 0, kMostThreads));
  settings.preallocate = static_cast<uint32_t>(object.Number("preallocate", 0, kMostPictures));
  settings.seed = object.Number("seed");
  DemandOneOf(object, "caller", kCallerNames);
  DemandOneOf(object, "state", kStateNames);
  Parse(object.Text("caller"), &settings.caller);
  Parse(object.Text("state"), &settings.state);
  return settings;
}

Settings SettingsFromJson(const nlohmann::json& json) {
  return SettingsFrom(JsonObject(json, "settings"));
}

}  // namespace culprit::suites
