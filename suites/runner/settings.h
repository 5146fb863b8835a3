// SPDX-License-Identifier: Apache-2.0
//
// Settings: one point of a suite's matrix, that is, how a life cycle is run. Everything a result
// depends on beside the steps and the faults is here, so that a replay file needs nothing else.
#ifndef SUITES_RUNNER_SETTINGS_H_
#define SUITES_RUNNER_SETTINGS_H_

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "input/json_object.h"

namespace culprit::suites {

// What is current on the calling thread when the port is called.
enum class CallerContext : uint8_t { kNone, kOwner, kForeign };
// What state_init is given: nothing, so that the port retains the primary context, or a context of
// the caller's.
enum class StateContext : uint8_t { kPrimary, kGiven };

// What a driver that is asked for by name can be. What they mean is in docs/profiles.md.
inline constexpr std::array kProfiles = {"r580", "strict", "strict-submit"};
inline constexpr std::array kPolicies = {"eager", "timed", "lazy", "random"};

inline constexpr uint32_t kMostThreads = 256;
inline constexpr uint32_t kMostPictures = 1024;  // of a ring

using Options = std::vector<std::pair<std::string, std::string>>;

struct Settings {
  std::string profile = "r580";
  std::string policy = "eager";
  std::vector<std::string> extractors;
  uint32_t bits = 8;
  uint32_t threads = 0;
  uint32_t preallocate = 0;
  CallerContext caller = CallerContext::kNone;
  StateContext state = StateContext::kPrimary;
  uint64_t seed = 1;

  bool operator==(const Settings&) const = default;

  // "motion+psnr 8-bit serial ring=4 caller=foreign", without profile and policy.
  std::string Name() const;
};

const char* NameOf(CallerContext caller);
const char* NameOf(StateContext state);
bool Parse(const std::string& text, CallerContext* caller);
bool Parse(const std::string& text, StateContext* state);

nlohmann::json ToJson(const Settings& settings);
// Both throw InputError when something is missing, of the wrong type or no value that there is.
Settings SettingsFrom(const JsonObject& object);
Settings SettingsFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SETTINGS_H_
