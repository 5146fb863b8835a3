// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace culprit::suites {
namespace {

constexpr const char* kCallerNames[] = {"none", "owner", "foreign"};
constexpr const char* kStateNames[] = {"primary", "given"};

template <typename Enum, size_t N>
bool ParseName(const std::string& text, const char* const (&names)[N], Enum* out) {
  for (size_t i = 0; i < N; ++i) {
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

Settings SettingsFromJson(const nlohmann::json& json) {
  Settings settings;
  json.at("profile").get_to(settings.profile);
  json.at("policy").get_to(settings.policy);
  json.at("extractors").get_to(settings.extractors);
  json.at("bits").get_to(settings.bits);
  json.at("threads").get_to(settings.threads);
  json.at("preallocate").get_to(settings.preallocate);
  json.at("seed").get_to(settings.seed);
  const auto caller = json.at("caller").get<std::string>();
  const auto state = json.at("state").get<std::string>();
  if (!Parse(caller, &settings.caller)) throw std::invalid_argument("caller '" + caller + "'");
  if (!Parse(state, &settings.state)) throw std::invalid_argument("state '" + state + "'");
  return settings;
}

}  // namespace culprit::suites
