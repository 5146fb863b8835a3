// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/settings_json.h"

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "input/json_object.h"

namespace culprit::fakedriver::control {
namespace {

using Json = nlohmann::ordered_json;

// What a value must be, thrown by the readers below and completed with the key by Apply.
struct Expected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename Enum>
bool Choose(std::string_view text, std::initializer_list<Enum> choices,
            const char* (*text_of)(Enum), Enum* out) {
  for (Enum choice : choices) {
    if (text != text_of(choice)) continue;
    *out = choice;
    return true;
  }
  return false;
}

bool SetReuse(std::string_view text, Settings* settings) {
  return Choose(text, {HandleReuse::kNever, HandleReuse::kNewestFirst}, ReuseText,
                &settings->handle_reuse);
}

const std::string& Text(const Json& value) {
  if (!value.is_string()) throw Expected("must be a text");
  return value.get_ref<const std::string&>();
}

void ReadFlag(const Json& value, bool* out) {
  if (!value.is_boolean()) throw Expected("must be true or false");
  *out = value.get<bool>();
}

template <typename Number>
void ReadNumber(const Json& value, Number* out) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > std::numeric_limits<Number>::max()) {
    throw Expected("must be a whole number that is not negative");
  }
  *out = value.get<Number>();
}

using Reader = std::function<void(const Json&, Settings&)>;
using Readers = std::map<std::string, Reader, std::less<>>;

void Apply(const Readers& readers, const Json& object, const std::string& prefix,
           Settings& settings) {
  if (!object.is_object())
    throw Expected((prefix.empty() ? "settings" : prefix) + " must be an object");
  for (const auto& [key, value] : object.items()) {
    auto reader = readers.find(key);
    if (reader == readers.end()) throw Expected(prefix + key + ": no such setting");
    try {
      reader->second(value, settings);
    } catch (const Expected& expected) {
      throw Expected(prefix + key + " " + expected.what());
    }
  }
}

const Readers& CheckReaders() {
  static const Readers readers = {
      {"out_of_bounds", [](auto& v, auto& s) { ReadFlag(v, &s.checks.out_of_bounds); }},
      {"use_after_free", [](auto& v, auto& s) { ReadFlag(v, &s.checks.use_after_free); }},
      {"uninitialized", [](auto& v, auto& s) { ReadFlag(v, &s.checks.uninitialized); }},
      {"races", [](auto& v, auto& s) { ReadFlag(v, &s.checks.races); }},
      {"block_races", [](auto& v, auto& s) { ReadFlag(v, &s.checks.block_races); }},
      {"stream_races", [](auto& v, auto& s) { ReadFlag(v, &s.checks.stream_races); }},
      {"pending_copies", [](auto& v, auto& s) { ReadFlag(v, &s.checks.pending_copies); }},
  };
  return readers;
}

void Require(bool known, const char* choices) {
  if (!known) throw Expected(std::string("must be one of ") + choices);
}

const Readers& SettingReaders() {
  static const Readers readers = {
      {"profile",
       [](auto& v, auto& s) { Require(SetProfile(Text(v), &s), "r580, strict, strict-submit"); }},
      {"policy",
       [](auto& v, auto& s) { Require(SetPolicy(Text(v), &s), "eager, timed, lazy, random"); }},
      {"handle_reuse",
       [](auto& v, auto& s) { Require(SetReuse(Text(v), &s), "never, newest-first"); }},
      {"seed", [](auto& v, auto& s) { ReadNumber(v, &s.seed); }},
      {"devices", [](auto& v, auto& s) { s.devices = Text(v); }},
      {"trace", [](auto& v, auto& s) { s.trace = Text(v); }},
      {"certify", [](auto& v, auto& s) { ReadFlag(v, &s.certify); }},
      {"polls_per_step", [](auto& v, auto& s) { ReadNumber(v, &s.polls_per_step); }},
      {"idle_drain_ms", [](auto& v, auto& s) { ReadNumber(v, &s.idle_drain_ms); }},
      {"kernel_instructions", [](auto& v, auto& s) { ReadNumber(v, &s.kernel_instructions); }},
      {"kernel_workers", [](auto& v, auto& s) { ReadNumber(v, &s.kernel_workers); }},
      {"checks", [](auto& v, auto& s) { Apply(CheckReaders(), v, "checks.", s); }},
  };
  return readers;
}

}  // namespace

bool SetProfile(std::string_view text, Settings* settings) {
  return Choose(text, {ProfileName::kR580, ProfileName::kStrict, ProfileName::kStrictSubmit},
                ProfileText, &settings->profile);
}

bool SetPolicy(std::string_view text, Settings* settings) {
  return Choose(text, {Policy::kEager, Policy::kTimed, Policy::kLazy, Policy::kRandom}, PolicyText,
                &settings->policy);
}

std::optional<Settings> ParseSettings(std::string_view json, const Settings& base,
                                      std::string* error) {
  Settings settings = base;
  try {
    Apply(SettingReaders(), ParseJson<Json>(std::string(json), "settings"), "", settings);
  } catch (const std::exception& reason) {
    *error = reason.what();
    return std::nullopt;
  }
  return settings;
}

std::string SettingsAsJson(const Settings& settings) {
  const CheckSettings& checks = settings.checks;
  Json json = {{"profile", ProfileText(settings.profile)},
               {"policy", PolicyText(settings.policy)},
               {"seed", settings.seed},
               {"handle_reuse", ReuseText(settings.handle_reuse)},
               {"devices", settings.devices},
               {"trace", settings.trace},
               {"certify", settings.certify},
               {"polls_per_step", settings.polls_per_step},
               {"idle_drain_ms", settings.idle_drain_ms},
               {"kernel_instructions", settings.kernel_instructions},
               {"kernel_workers", settings.kernel_workers},
               {"checks",
                {{"out_of_bounds", checks.out_of_bounds},
                 {"use_after_free", checks.use_after_free},
                 {"uninitialized", checks.uninitialized},
                 {"races", checks.races},
                 {"block_races", checks.block_races},
                 {"stream_races", checks.stream_races},
                 {"pending_copies", checks.pending_copies}}}};
  return json.dump();
}

}  // namespace culprit::fakedriver::control
